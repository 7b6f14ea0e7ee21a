"""What has to be said word for word when safety or fraud is at stake."""

from __future__ import annotations

BATTERY = (
    "Please stop using it right now, and do not charge it. A battery in that state can catch fire, so keep it away "
    "from anything that burns. It must not go in the trash, in recycling or in a store's battery drop-off. I can't "
    "send a label, because it may not be mailed, and I can't book it in. It belongs with household hazardous waste. "
    "A person will take over from here."
)

RECALL = (
    "That product is under recall, so please stop using it. We never repair it and never sell it again. Instead of a "
    "repair or a return, its manufacturer gives you a remedy, and that is free. A person will take over from here."
)

RECALL_NEXT_STEP = "Book no repair. Speak the script, then escalate with reason recall."

SCAM = (
    "There is no such charge here, and that message did not come from Kestrel. It is a common scam: first a made-up "
    "renewal, then they want a refund sent back, or to get into your computer. Send no money, buy no gift cards, and "
    "let nobody into your device. Kestrel and TechCrew never ask for any of that."
)

NO_CONTACT = (
    "Nobody from Kestrel or TechCrew has been in touch with you; I find no record of any contact. It was not us. "
    "Please do not call that number back and do not answer the message."
)

NEVER_ASKED = (
    "Kestrel and TechCrew never ask for gift cards, wires, crypto, remote access or money back after a refund."
)

WARRANTY_NOTE = "Neither a repair somewhere else nor going without a protection plan ends the manufacturer warranty."


def marketplace(seller: str) -> str:
    """What is said about an item that an independent seller sold."""
    return (
        f"That item was sold by {seller}, an independent seller. Kestrel only took the order, so returns and refunds "
        f"go by {seller}'s own policy. I can bring in a person who can put you in touch with them."
    )

"""How well is each voice heard over a clean telephone line? Prints a table and writes benchmarks/results/voices.json.

    .venv/bin/python benchmarks/voices.py [--ears tiny.en,base] [--voices hibari:f1,...] [--examples]

Each of the eight callers' voices and the agent's says 36 sentences of a call's kind. They pass a clean telephone line
(the preset `perfect`: 300-3400 Hz, mu-law at 8 kHz) and are transcribed without a prompt and with one of names as a
listener may have them. Word errors are counted after `written`, one word for each digit. Aim: at most 8 % for every
caller's voice with the caller's ears (base) and a prompt.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jiwer
import numpy as np
from numpy.typing import NDArray

from mivas.line.sound import Channel, parse_condition
from mivas.line.spoken import BUS_HZ, FRAME_SAMPLES
from mivas.speech import AGENT_VOICE, CALLER_VOICES, Ears, Voice, load_ears, load_voice
from mivas.speech._word_error import comparable

RESULTS = Path(__file__).parent / "results" / "voices.json"
AIM = 0.08
TAIL = 10 * FRAME_SAMPLES
"""Samples of silence after a turn, in which its end arrives."""
NAMES = (
    "Aetna, Cigna, Humana, Oscar Health, UnitedHealthcare, Park Avenue, Brooklyn Heights, Windermere, Okonkwo, Priya."
)
"""What a listener's own knowledge may hold: carriers, places and two of the names below."""
SENTENCES = (
    "Hi, I'd like to know whether you take Aetna at the Park Avenue office.",
    "My name is Grace Okonkwo, and I was born on 03/14/1985.",
    "The member number on my card is W401882937.",
    "You can reach me at 555-201-4477 after 5:30 p.m.",
    "I'm calling about order KE-4492551, which never arrived.",
    "It was supposed to be here on August 14, but nothing came.",
    "The tracking page says it was left at 12 Oak St. in Windermere.",
    "Could you tell me how much is left to pay? I have $1,249.99 written here.",
    "I have Cigna through my employer, and the group number is 70415.",
    "Please book me for Tuesday at 10:15 a.m. with Dr. Patel.",
    "I take metformin twice a day, and lisinopril in the morning.",
    "That's spelled W-H-I-T-A-K-E-R.",
    "My zip code is 11201, and the street is Henry Street.",
    "No, the second one; the first appointment was cancelled.",
    "I was rear-ended at an intersection on 2026-06-02, and the other driver ran the light.",
    "My lawyer's office is on Madison Avenue, the fourth floor.",
    "I already sent the police report to claims@northgate.com.",
    "We need a refund for two headphones at $79.50 each.",
    "The screen on my new laptop has a crack across the lower corner.",
    "I'd rather have a replacement than a gift card, if that's possible.",
    "Is the Brooklyn Heights office open on Saturdays?",
    "My daughter's date of birth is 11/30/2017.",
    "Humana told me that I need a referral before I can be seen.",
    "I changed jobs in May, so my old plan ended on the 31st.",
    "The last four digits of the card are 0198.",
    "Could you repeat the confirmation number, please? I only got 7, 3, 0.",
    "I've been waiting for about forty-five minutes, and I'm a little upset.",
    "Send the papers to Marcus Iyer at 48 Larkspur Lane.",
    "It isn't urgent, but my knee has been swollen since Thursday.",
    "The deposit was 15 percent, and the rest is due on the 1st of July.",
    "I don't have the receipt, but I paid with my debit card.",
    "Yes, that's correct. Thank you very much for your help.",
    "My username is jordan.lee@example.com, all in lower case.",
    "We met with Priya Raman on Monday, and she asked for three documents.",
    "The soundbar is louder on the left side than on the right.",
    "Sorry, I didn't catch that. Was it nine thirty or nine fifty?",
)


def telephone(pcm: NDArray[np.int16]) -> NDArray[np.int16]:
    """The sound after a clean line: the preset `perfect`."""
    channel = Channel(parse_condition("perfect"), 0)
    padded = np.pad(pcm, (0, TAIL - len(pcm) % FRAME_SAMPLES))
    return np.concatenate([channel.process(frame) for frame in padded.reshape(-1, FRAME_SAMPLES)])


def errors(heard: list[str]) -> dict[str, float]:
    """Word error over all sentences, and the share of sentences in which not a word is wrong."""
    said = [comparable(sentence) for sentence in SENTENCES]
    pairs = [(one, comparable(text)) for one, text in zip(said, heard, strict=True)]
    return {
        "word_error": round(jiwer.wer([one for one, _ in pairs], [text for _, text in pairs]), 4),
        "intact": round(sum(one == text for one, text in pairs) / len(pairs), 4),
    }


def listened(ears: Ears, sounds: list[NDArray[np.int16]], prompt: str) -> tuple[list[str], float]:
    """Texts, and seconds of CPU by second of sound."""
    start_s = time.process_time()
    heard = [ears.hear(sound, prompt) for sound in sounds]
    return heard, (time.process_time() - start_s) * BUS_HZ / sum(map(len, sounds))


def measured(voice: Voice, ears: list[Ears], examples: bool) -> dict[str, Any]:
    """One voice, heard by all ears."""
    start_s = time.process_time()
    said = [voice.speak(sentence, seed) for seed, sentence in enumerate(SENTENCES)]
    spoken_s = time.process_time() - start_s
    sounds = [telephone(pcm) for pcm in said]
    seconds = sum(map(len, sounds)) / BUS_HZ
    row: dict[str, Any] = {"seconds": round(seconds, 1), "speaking_cpu_per_s": round(spoken_s / seconds, 4), "ears": {}}
    for one in ears:
        for label, prompt in (("plain", ""), ("prompted", NAMES)):
            heard, cpu = listened(one, sounds, prompt)
            row["ears"][f"{one.name} {label}"] = errors(heard) | {"cpu_per_s": round(cpu, 4)}
            for sentence, text in zip(SENTENCES, heard, strict=True):
                if examples and comparable(sentence) != comparable(text):
                    print(f"{voice.name} {one.name} {label}: {sentence}\n    {text}")
    return row


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ears", default="tiny.en,base")
    parser.add_argument("--voices", default=",".join((*CALLER_VOICES, AGENT_VOICE)))
    parser.add_argument("--examples", action="store_true", help="print what was misheard; write no file")
    given = parser.parse_args()
    ears = [load_ears(f"whisper:{name}") for name in given.ears.split(",")]
    rows = {}
    for name in given.voices.split(","):
        voice = load_voice(name)
        voice.speak("One two three.", 0)
        rows[name] = measured(voice, ears, given.examples)
        figures = "  ".join(f"{key} {100 * one['word_error']:4.1f} %" for key, one in rows[name]["ears"].items())
        print(f"{name:13} {rows[name]['speaking_cpu_per_s']:.3f}  {figures}", flush=True)
    if given.examples:
        return
    callers = [rows[name]["ears"] for name in CALLER_VOICES if name in rows]
    worst = max(
        (one["whisper/base prompted"]["word_error"] for one in callers if "whisper/base prompted" in one), default=None
    )
    result = {
        "what": "word error of each voice over a clean telephone line, and CPU seconds by second of sound",
        "measured_utc": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {"system": platform.platform(), "cores": os.cpu_count(), "python": platform.python_version()},
        "sentences": len(SENTENCES),
        "words": sum(len(comparable(sentence).split()) for sentence in SENTENCES),
        "aim": AIM,
        "worst_caller": worst,
        "aim_met": worst is not None and worst <= AIM,
        "ears": {one.name: one.revision for one in ears},
        "voices": rows,
    }
    RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(f"worst caller, base, prompted: {worst}; aim {AIM}")


if __name__ == "__main__":
    main()

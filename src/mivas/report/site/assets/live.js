// On a served site: asks now and then whether something happened, and shows it.
"use strict";
addEventListener("DOMContentLoaded", () => {
  const EVERY_MS = 1500;
  let seen = null;
  async function ask() {
    try {
      const now = await mivas.load("live", { fresh: true });
      if (seen !== null && now.version !== seen) {
        const refresh = mivas.refresh ?? (() => location.reload());
        await refresh(now);
      }
      seen = now.version;
      if (now.over) return;
    } catch { /* the server is busy or gone: ask again */ }
    setTimeout(ask, EVERY_MS);
  }
  ask();
});

import { useEffect, useState } from "react";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { Icon } from "../parts/icon.tsx";
import { age, clock } from "../words/amounts.ts";
import { fill, useWords } from "../words/words.ts";
import "./lost-banner.css";

/** That what is shown may be old, and how old: all other clocks stand while nothing is heard. */
export function LostBanner() {
  const { strip } = useWords();
  const { connection, heardAtMs } = useStore(live);
  const [now, setNow] = useState(Date.now());
  const isLost = connection === "lost";
  useEffect(() => {
    if (!isLost) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isLost]);
  if (!isLost) return null;
  return (
    <p className="lost-banner">
      <Icon name="cross" />
      <span role="alert">
        {heardAtMs === 0
          ? strip.neverConnected
          : fill(strip.lostConnection, { time: clock(new Date(heardAtMs).toISOString()) })}
      </span>
      {heardAtMs > 0 && <span className="age">{age(now - heardAtMs)}</span>}
      <span className="how">
        {strip.lostHow} <code>hookline up</code>
      </span>
    </p>
  );
}

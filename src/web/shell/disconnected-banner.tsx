import { useEffect, useState } from "react";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { Icon } from "../components/icon.tsx";
import { formatDuration, formatTime } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import "./disconnected-banner.css";

/** Warns that the data is stale and shows its age; all other clocks stop while disconnected. */
export function DisconnectedBanner() {
  const { statusBar } = useStrings();
  const { connection, lastMessageAtMs } = useStore(live);
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
    <p className="disconnected-banner">
      <Icon name="cross" />
      <span role="alert">
        {lastMessageAtMs === 0
          ? statusBar.neverConnected
          : fill(statusBar.disconnectedSince, { time: formatTime(new Date(lastMessageAtMs).toISOString()) })}
      </span>
      {lastMessageAtMs > 0 && <span className="age">{formatDuration(now - lastMessageAtMs)}</span>}
      <span className="how">
        {statusBar.reconnectHint} <code>hookline up</code>
      </span>
    </p>
  );
}

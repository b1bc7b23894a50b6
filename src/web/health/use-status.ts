import { useEffect } from "react";
import type { DaemonStatus } from "../../serve/contract.ts";
import { type Asked, useAnswer } from "../api/use-answer.ts";

const AGAIN_MS = 3_000;

/** The daemon's own word on how it stands, asked again and again while somebody looks. */
export function useStatus(): Asked<DaemonStatus> {
  const [asked, again] = useAnswer<DaemonStatus>("/api/status");
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && again(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [again]);
  return asked;
}

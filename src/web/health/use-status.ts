import { useEffect } from "react";
import type { DaemonStatus } from "../../serve/contract.ts";
import { type FetchState, useFetch } from "../api/use-fetch.ts";

const REFRESH_MS = 3_000;

/** The daemon's status, polled while the page is visible. */
export function useStatus(): FetchState<DaemonStatus> {
  const [response, refetch] = useFetch<DaemonStatus>("/api/status");
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && refetch(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [refetch]);
  return response;
}

import { createContext } from "react";

/** The rows a user opened or closed; remembered while they are scrolled out of view. */
export const OpenRows = createContext<Map<string, boolean>>(new Map());

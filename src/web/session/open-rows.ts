import { createContext } from "react";

/** Which rows a person opened or closed: it outlives their being scrolled away. */
export const OpenRows = createContext<Map<string, boolean>>(new Map());

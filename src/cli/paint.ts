import { styleText } from "node:util";

export type Colour = "red" | "yellow" | "green" | "cyan" | "blue" | "dim" | "bold";
export type Paint = (colour: Colour, text: string) => string;

export const noPaint: Paint = (_colour, text) => text;

/** Colour only on a terminal, and without NO_COLOR. */
export function paintFor(stream: { readonly isTTY?: boolean }, env = process.env): Paint {
  if (!stream.isTTY || (env["NO_COLOR"] ?? "") !== "") return noPaint;
  return (colour, text) => styleText(colour, text, { validateStream: false });
}

/** One server-sent event. */
export interface SseMessage {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** Accepts text in any chunks and returns the complete messages. */
export function createSseReader(): (text: string) => SseMessage[] {
  let rest = "";
  let id: string | null = null;
  let event = "";
  let data: string[] = [];

  const readLine = (line: string): SseMessage | null => {
    if (line === "") {
      const message = data.length === 0 ? null : { id, event: event || "message", data: data.join("\n") };
      id = null;
      event = "";
      data = [];
      return message;
    }
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (field === "id") id = value;
    else if (field === "event") event = value;
    else if (field === "data") data.push(value);
    return null;
  };

  return (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    return lines.flatMap((line) => readLine(line.endsWith("\r") ? line.slice(0, -1) : line) ?? []);
  };
}

/** `opus-5.5` of `claude-opus-5-5-20260901`. */
export function modelName(model: string): string {
  return model
    .trim()
    .replace(/^claude-/, "")
    .replace(/-\d{8}(?=$|\[)/, "")
    .replace(/(\d)-(?=\d)/g, "$1.");
}

const KEY = "hookline.keys";

/** Whether one key alone does something; people who speak to their machine turn it off. */
export function hasSingleKeys(): boolean {
  return localStorage.getItem(KEY) !== "off";
}

export function setSingleKeys(isOn: boolean): void {
  localStorage.setItem(KEY, isOn ? "on" : "off");
}

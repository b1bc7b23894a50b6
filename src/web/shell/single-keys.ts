const KEY = "hookline.keys";

/** Whether single-key shortcuts are on; people who use voice control turn them off. */
export function hasSingleKeys(): boolean {
  return localStorage.getItem(KEY) !== "off";
}

export function setSingleKeys(isOn: boolean): void {
  localStorage.setItem(KEY, isOn ? "on" : "off");
}

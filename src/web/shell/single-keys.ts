const STORAGE_KEY = "hookline.keys";

/** Whether single-key shortcuts are on; people who use voice control turn them off. */
export function hasSingleKeys(): boolean {
  return localStorage.getItem(STORAGE_KEY) !== "off";
}

export function setSingleKeys(isOn: boolean): void {
  localStorage.setItem(STORAGE_KEY, isOn ? "on" : "off");
}

/** Shows how many wait: in the tab's title, and as a dot on its icon. */
export function setTabCount(waiting: number): void {
  document.title = waiting === 0 ? "Hookline" : `(${waiting}) Hookline`;
  const icon = document.getElementById("favicon") as HTMLLinkElement | null;
  if (icon !== null) icon.href = waiting === 0 ? "/icon.svg" : "/icon-waiting.svg";
}

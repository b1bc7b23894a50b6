/** Shows the number of pending requests in the tab's title, and a dot on its icon. */
export function setTabCount(waiting: number): void {
  document.title = waiting === 0 ? "Hookline" : `(${waiting}) Hookline`;
  const icon = document.getElementById("favicon") as HTMLLinkElement | null;
  if (icon !== null) icon.href = waiting === 0 ? "/icon.svg" : "/icon-waiting.svg";
}

import { go } from "./router.ts";

/** Where a browser allows it (on this machine, or over TLS): for notices on phones, and a page for when nobody answers. */
export function startWorker(): void {
  if (!isSecureContext || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<{ go?: unknown }>) => {
    if (typeof data.go === "string" && data.go.startsWith("/s/")) go(data.go);
  });
  // Without it everything else works.
  void navigator.serviceWorker.register("/sw.js").catch(() => undefined);
}

/** Phones show notices through it alone. */
export async function showNotice(title: string, options: NotificationOptions & { data: { path: string } }) {
  const worker = "serviceWorker" in navigator ? await navigator.serviceWorker.getRegistration() : undefined;
  if (worker?.active != null) return worker.showNotification(title, options);
  const notice = new Notification(title, options);
  notice.onclick = () => {
    window.focus();
    go(options.data.path);
    notice.close();
  };
}

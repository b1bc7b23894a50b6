import { go } from "./router.ts";

/** In a secure context only: notifications on phones, and a page for when the daemon is down. */
export function registerServiceWorker(): void {
  if (!isSecureContext || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<{ go?: unknown }>) => {
    if (typeof data.go === "string" && data.go.startsWith("/s/")) go(data.go);
  });
  // Everything else works without it.
  void navigator.serviceWorker.register("/sw.js").catch(() => undefined);
}

/** Phones show notifications only through a service worker. */
export async function showNotification(
  title: string,
  options: NotificationOptions & { data: { path: string } },
) {
  const worker = "serviceWorker" in navigator ? await navigator.serviceWorker.getRegistration() : undefined;
  if (worker?.active != null) return worker.showNotification(title, options);
  const notification = new Notification(title, options);
  notification.onclick = () => {
    window.focus();
    go(options.data.path);
    notification.close();
  };
}

import { useEffect, useRef } from "react";
import "./dialog.css";

/** A modal dialog. Escape or a click outside closes it and restores the focus. */
export function Dialog({
  label,
  onClose,
  className = "",
  children,
}: {
  readonly label: string;
  readonly onClose: () => void;
  readonly className?: string;
  readonly children: React.ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const previousFocus = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () => previousFocus?.focus({ preventScroll: true });
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
    <dialog
      ref={dialog}
      className={`dialog panel ${className}`}
      aria-label={label}
      // Removed immediately: until a closed dialog's own event arrives, a key that reopens it would be lost.
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="dialog-body">{children}</div>
    </dialog>
  );
}

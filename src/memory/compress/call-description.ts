import type { ItemType } from "../memory-item.ts";

/** A tool's own description of a call; limits, failures and surrounding text are common to all tools. */
export interface CallDescription {
  readonly type: ItemType;
  /** What was done, if it succeeded. */
  readonly title: string;
  /** What was attempted: starts the title of a failure. */
  readonly attempt: string;
  readonly facts?: readonly string[];
  readonly reads?: readonly string[];
  readonly modifies?: readonly string[];
  /** Names that the work defines or changes. */
  readonly names?: readonly string[];
  readonly known?: readonly string[];
  /** Further text on the topic: a commit message, a query. */
  readonly about?: string;
  /** Overrides the tool's status: tests behind a pipe failed, a filter without matches did not. */
  readonly hasFailed?: boolean;
  /** The title of the failure, where it beats the error line. */
  readonly failure?: string;
}

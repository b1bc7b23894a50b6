import type { ItemType } from "../memory-item.ts";

/** What one tool's teller makes of a call; bounds, failures and the words around it are everybody's alike. */
export interface Telling {
  readonly type: ItemType;
  /** What was done, when it went well. */
  readonly title: string;
  /** What was tried: begins the title of a failure. */
  readonly attempt: string;
  readonly facts?: readonly string[];
  readonly reads?: readonly string[];
  readonly modifies?: readonly string[];
  /** Names that the work defines or changes. */
  readonly names?: readonly string[];
  readonly known?: readonly string[];
  /** More words that tell what it is about: a commit's message, a query. */
  readonly about?: string;
  /** Where it is known better than by the tool: tests behind a pipe have failed, a filter that finds nothing has not. */
  readonly hasFailed?: boolean;
  /** The title of the failure, where it is better told than by the error's line. */
  readonly failure?: string;
}

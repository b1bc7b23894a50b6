/**
 * Functions of more than 60 lines, by `path name`, with the reason why each reads better unsplit. Remove one that got
 * shorter; none may exceed 100.
 */
export const LONG_FUNCTIONS: Readonly<Record<string, string>> = {
  "scripts/bench/page-visits.ts visitAllPages":
    "One visit after the other, each a few lines: the script that the measured browser follows.",
  "scripts/bench/pages.ts toRows": "A table: every measured row with its text, its figures and its budget.",
  "src/capture/watch-folders.ts watchFolders":
    "One state machine of which folder is wanted, where it is watched and by what: each step changes all three maps.",
  "src/cli/converse.ts converse":
    "One conversation on one terminal: what is asked, shown and typed decides together what the next line means.",
  "src/daemon/curation.ts openCuration":
    "A table of ports onto what forgets, exports and imports, a few lines each.",
  "src/daemon/sample-story.ts sampleStory": "The sample session itself, event by event: data.",
  "src/memory/compress/split-command.ts locateCommands":
    "One scanner of one line: a branch for each character, over one set of registers.",
  "src/monitor/session-tracker.ts openSessionTracker":
    "Joins the parts that make, save and tell of sessions; each is a factory of its own already.",
  "src/monitor/watched-sessions.ts createWatchedSessions":
    "One map of sessions with some twenty verbs of a few lines each; what they do is in files of its own.",
  "src/serve/control-session-routes.ts controlSessionRoutes": "A table of routes, three lines each.",
  "src/serve/mcp.ts addMemoryTools": "A table of tools with their descriptions and schemas.",
  "src/serve/metrics.ts toPrometheus": "A table of metrics, one call each.",
  "src/store/sqlite/sqlite-session-rows.ts sqliteSessionRows": "A table of queries, one for each method.",
  "src/web/pages/search.tsx SearchPage":
    "A page's markup: the field, what it found, and the panel beside it, all of one address.",
  "src/web/search/item-panel.tsx ItemPanel":
    "A panel's markup: its buttons, what is said of the item, and what is being done with it.",
  "src/web/session/draw-timeline.ts drawTimeline":
    "One picture, painted from the back to the front; the order of the steps is the point.",
  "src/web/session/story.ts entriesOf": "A switch over all types of events, a few lines each.",
  "src/web/session/timeline.tsx Timeline":
    "What zooms, selects and plays is one state, which the bar and the picture below it share.",
  "src/web/session/transcript.tsx Transcript":
    "The list, the bar above it and the steps through it share one focus and one order.",
  "src/web/session/use-events.ts followEvents":
    "One reader of one session: what is read, what is shown and when to read again depend on each other.",
  "src/web/session/virtual-list.tsx VirtualList":
    "Measuring, placing and scrolling rows work on the same heights, in every frame.",
  "src/web/sessions/filter-bar.tsx FilterBar":
    "A form's markup: one field for each thing that can be chosen.",
  "src/web/steer/chat-entries.ts applyToEntries": "A switch over all types of envelopes, a few lines each.",
  "src/web/steer/start-form.tsx StartForm":
    "A form's markup with a state for each field; what is trusted and who pays decides which fields there are.",
  "src/web/steer/use-conversation.ts follow":
    "One connection: its messages, its retries and its rest while hidden share the same timers.",
};

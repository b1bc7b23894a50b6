/**
 * Each entry migrates the database from its index to the next version (`PRAGMA user_version`).
 * Never edit a released entry: add a new one.
 */
export const MIGRATIONS: readonly string[] = [
  `
  -- Every event, merged from all its tellings. \`seq\` is the order of first arrival.
  CREATE TABLE facts (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    event_type TEXT NOT NULL,
    session_id TEXT NOT NULL,
    timestamp TEXT NOT NULL,
    phase TEXT,
    provider TEXT NOT NULL,
    project_path TEXT,
    cwd TEXT,
    prompt_id TEXT,
    tool_use_id TEXT,
    batch_key TEXT,
    batch_index INTEGER,
    is_machine INTEGER NOT NULL,
    is_private INTEGER NOT NULL,
    -- The id of its row in \`observations\`, when it has one.
    observation_id INTEGER,
    -- Given by the projection, never merged.
    prompt_number INTEGER,
    tool_index INTEGER,
    -- The first and last log segment that tells of it.
    first_segment INTEGER NOT NULL,
    last_segment INTEGER NOT NULL,
    -- The whole event; for a tool_observation without its payload, which stands beside it.
    event_json TEXT NOT NULL,
    payload_json TEXT
  ) STRICT;
  CREATE INDEX facts_by_session ON facts (session_id, event_type, phase, timestamp);
  CREATE INDEX facts_by_session_time ON facts (session_id, timestamp);
  CREATE INDEX facts_by_type ON facts (event_type, timestamp);
  CREATE UNIQUE INDEX facts_by_observation ON facts (observation_id) WHERE observation_id IS NOT NULL;
  CREATE INDEX facts_by_prompt ON facts (prompt_id, event_type) WHERE prompt_id IS NOT NULL;

  CREATE TABLE blobs (hash TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE fact_blobs (
    fact_id TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    PRIMARY KEY (fact_id, hash)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX fact_blobs_by_hash ON fact_blobs (hash);

  CREATE VIEW events AS
    SELECT id, event_type, session_id, timestamp,
      CASE WHEN payload_json IS NULL THEN event_json
        ELSE '{"promptIndex":' || coalesce(prompt_number, 'null') || ',"toolIndex":' || coalesce(tool_index, 'null')
          || ',' || substr(payload_json, 2)
      END AS payload_json
    FROM facts;

  CREATE VIEW session_lifecycle_events AS
    SELECT id, timestamp AS occurred_at_iso, session_id, provider, phase, project_path, cwd, event_json AS raw_json
    FROM facts WHERE event_type = 'session.lifecycle';

  CREATE VIEW skill_lifecycle_events AS
    SELECT id, timestamp AS occurred_at_iso, session_id, provider,
      coalesce(json_extract(event_json, '$.skillName'), '') AS skill_name,
      phase,
      json_extract(event_json, '$.triggerCommand') AS trigger_command,
      json_extract(event_json, '$.targetDocPath') AS target_doc_path,
      prompt_number AS turn_seq,
      project_path,
      event_json AS raw_json
    FROM facts WHERE event_type = 'skill.lifecycle';

  CREATE TABLE lifecycle_stream_offsets (
    stream_key TEXT PRIMARY KEY,
    inode TEXT NOT NULL,
    byte_offset INTEGER NOT NULL,
    updated_at_iso TEXT NOT NULL
  ) STRICT;

  CREATE TABLE sdk_sessions (
    id INTEGER PRIMARY KEY,
    claude_session_id TEXT NOT NULL UNIQUE,
    project TEXT,
    first_user_prompt TEXT,
    prompt_counter INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL CHECK (status IN ('initialized', 'active', 'completed')),
    created_at TEXT NOT NULL,
    completed_at TEXT
  ) STRICT;
  CREATE INDEX sdk_sessions_by_time ON sdk_sessions (created_at);
  CREATE TRIGGER sdk_sessions_take_their_facts AFTER DELETE ON sdk_sessions BEGIN
    DELETE FROM facts WHERE session_id = OLD.claude_session_id;
  END;

  CREATE TABLE user_prompts (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sdk_sessions (id) ON DELETE CASCADE,
    prompt_number INTEGER NOT NULL,
    prompt TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX user_prompts_by_session ON user_prompts (session_id, prompt_number);

  -- A view: inputs and outputs stand in the facts once. NUL and half surrogates have no place in text columns and
  -- are taken out before (src/store/stored-event.ts).
  CREATE VIEW observations AS
    SELECT f.observation_id AS id, s.id AS session_id, f.prompt_number,
      json_extract(f.payload_json, '$.toolName') AS tool_name,
      json_extract(f.payload_json, '$.toolInput') AS tool_input_json,
      json_extract(f.payload_json, '$.toolOutput') AS tool_response_text,
      NULL AS compressed_observation,
      f.timestamp AS created_at
    FROM facts f JOIN sdk_sessions s ON s.claude_session_id = f.session_id
    WHERE f.observation_id IS NOT NULL;

  CREATE TABLE session_summaries (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sdk_sessions (id) ON DELETE CASCADE,
    request TEXT,
    investigated TEXT,
    learned TEXT,
    completed TEXT,
    next_steps TEXT,
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX session_summaries_by_session ON session_summaries (session_id);

  -- Events that the database would not take, with its reason.
  CREATE TABLE refused_events (
    id TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    event_json TEXT NOT NULL
  ) STRICT;

  -- Sessions that are being removed: kept until log and store have both lost them.
  CREATE TABLE removals (session_id TEXT PRIMARY KEY, asked_at_iso TEXT NOT NULL) STRICT;
  `,
  `
  -- What the monitor last read of each session: kept so that ten thousand of them need not be read again. Not told by
  -- the log but made from it; a missing row is made again from the session's facts.
  CREATE TABLE session_snapshots (
    session_id TEXT PRIMARY KEY,
    last_event_iso TEXT NOT NULL,
    state TEXT NOT NULL,
    needs_person INTEGER NOT NULL,
    provider TEXT NOT NULL,
    project_path TEXT,
    -- Small letters: title, prompts and project.
    search_text TEXT NOT NULL,
    snapshot_json TEXT NOT NULL
  ) STRICT;
  CREATE INDEX session_snapshots_by_time ON session_snapshots (last_event_iso, session_id);

  CREATE TABLE human_waits (
    session_id TEXT NOT NULL,
    wait_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    project_path TEXT,
    text TEXT NOT NULL,
    started_at_iso TEXT NOT NULL,
    ended_at_iso TEXT,
    PRIMARY KEY (session_id, wait_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX human_waits_by_time ON human_waits (started_at_iso);

  -- How far in the log the snapshots have followed.
  CREATE TABLE monitor_position (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    segment INTEGER NOT NULL,
    byte_offset INTEGER NOT NULL
  ) STRICT;

  CREATE TRIGGER sdk_sessions_take_their_snapshot AFTER DELETE ON sdk_sessions BEGIN
    DELETE FROM session_snapshots WHERE session_id = OLD.claude_session_id;
    DELETE FROM human_waits WHERE session_id = OLD.claude_session_id;
  END;
  `,
  `
  -- What memory is still to make, written with what it is made from. \`key\` is a fact's id, or of a turn its session
  -- and prompt.
  CREATE TABLE memory_outbox (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (kind, key)
  ) STRICT, WITHOUT ROWID;

  -- What is remembered: one row for a tool use, a turn, or a prompt. Made from facts; can be made again.
  CREATE TABLE memory_items (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    session_id TEXT NOT NULL,
    project TEXT,
    prompt_number INTEGER,
    tool_name TEXT,
    type TEXT NOT NULL,
    title TEXT NOT NULL,
    branch TEXT,
    success INTEGER,
    created_at TEXT NOT NULL,
    made_by TEXT NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0,
    content_json TEXT NOT NULL,
    summary_json TEXT
  ) STRICT;
  CREATE INDEX memory_items_by_session ON memory_items (session_id, created_at);
  CREATE INDEX memory_items_by_project ON memory_items (project, kind, created_at);

  -- Which items changed, each once, in the order of its last change: what the search index follows. An item that is
  -- not in \`memory_items\` is gone. (OR REPLACE would not do: the policy of the statement that fires a trigger wins.)
  CREATE TABLE memory_changes (change INTEGER PRIMARY KEY AUTOINCREMENT, item_id INTEGER NOT NULL UNIQUE) STRICT;
  CREATE TRIGGER memory_items_added AFTER INSERT ON memory_items BEGIN
    DELETE FROM memory_changes WHERE item_id = NEW.id;
    INSERT INTO memory_changes (item_id) VALUES (NEW.id);
  END;
  CREATE TRIGGER memory_items_changed AFTER UPDATE ON memory_items BEGIN
    DELETE FROM memory_changes WHERE item_id = NEW.id;
    INSERT INTO memory_changes (item_id) VALUES (NEW.id);
  END;
  CREATE TRIGGER memory_items_gone AFTER DELETE ON memory_items BEGIN
    DELETE FROM memory_changes WHERE item_id = OLD.id;
    INSERT INTO memory_changes (item_id) VALUES (OLD.id);
  END;
  -- Tells one database from the one a rebuild makes: its changes are numbered anew.
  CREATE TABLE memory_epoch (only INTEGER PRIMARY KEY CHECK (only = 1), epoch TEXT NOT NULL) STRICT;
  INSERT INTO memory_epoch (only, epoch) VALUES (1, lower(hex(randomblob(8))));

  -- What others than our rules made of an item, and what a person did to it.
  CREATE TABLE memory_made (
    item_id INTEGER NOT NULL,
    made_by TEXT NOT NULL,
    session_id TEXT NOT NULL,
    fact_id TEXT NOT NULL,
    item_json TEXT NOT NULL,
    PRIMARY KEY (item_id, made_by)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX memory_made_by_session ON memory_made (session_id);
  CREATE TABLE memory_marks (
    item_id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL,
    pinned INTEGER,
    pinned_at TEXT,
    edit_json TEXT,
    edited_at TEXT
  ) STRICT;
  CREATE INDEX memory_marks_by_session ON memory_marks (session_id);

  -- What sessions were given, by the id of its event.
  CREATE TABLE memory_injections (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    project TEXT,
    kind TEXT NOT NULL,
    at TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    items_json TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX memory_injections_by_session ON memory_injections (session_id, at);

  -- Tombstones: facts and sessions that must not come back, and the guards of forgotten texts. Never a text.
  CREATE TABLE forgotten (
    kind TEXT NOT NULL CHECK (kind IN ('fact', 'session', 'text')),
    key TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (kind, key)
  ) STRICT, WITHOUT ROWID;

  -- Turns a model is still to be asked about, and what it has cost.
  CREATE TABLE memory_jobs (
    turn TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    prompt_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    not_before_ms INTEGER NOT NULL DEFAULT 0,
    lease_until_ms INTEGER NOT NULL DEFAULT 0,
    is_done INTEGER NOT NULL DEFAULT 0,
    last_error TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX memory_jobs_by_session ON memory_jobs (session_id);
  CREATE TABLE memory_spend (
    day TEXT NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    failed_calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    PRIMARY KEY (day, model)
  ) STRICT, WITHOUT ROWID;

  DROP VIEW observations;
  CREATE VIEW observations AS
    SELECT f.observation_id AS id, s.id AS session_id, f.prompt_number,
      json_extract(f.payload_json, '$.toolName') AS tool_name,
      json_extract(f.payload_json, '$.toolInput') AS tool_input_json,
      json_extract(f.payload_json, '$.toolOutput') AS tool_response_text,
      m.content_json AS compressed_observation,
      f.timestamp AS created_at
    FROM facts f JOIN sdk_sessions s ON s.claude_session_id = f.session_id
      LEFT JOIN memory_items m ON m.id = f.observation_id
    WHERE f.observation_id IS NOT NULL;

  CREATE TRIGGER sdk_sessions_take_their_memory AFTER DELETE ON sdk_sessions BEGIN
    DELETE FROM memory_items WHERE session_id = OLD.claude_session_id;
    DELETE FROM memory_made WHERE session_id = OLD.claude_session_id;
    DELETE FROM memory_marks WHERE session_id = OLD.claude_session_id;
    DELETE FROM memory_injections WHERE session_id = OLD.claude_session_id;
    DELETE FROM memory_jobs WHERE session_id = OLD.claude_session_id;
  END;

  -- What was recorded before there was a memory.
  INSERT INTO memory_outbox (kind, key)
    SELECT 'call', id FROM facts WHERE observation_id IS NOT NULL
    UNION ALL
    SELECT DISTINCT 'turn', session_id || char(10) || prompt_id FROM facts
      WHERE event_type = 'turn.start' AND prompt_id IS NOT NULL;
  `,
  `
  -- Envelopes of driven sessions by their place: a client that comes back reads on from where it was.
  CREATE INDEX facts_by_envelope ON facts (session_id, json_extract(event_json, '$.envelope.seq'))
    WHERE event_type = 'control.envelope';
  `,
  `
  -- What was used, by time, without reading the facts themselves: sums over 10,000 sessions come from these alone.
  CREATE INDEX facts_by_usage ON facts (
    event_type, timestamp, session_id, project_path,
    json_extract(event_json, '$.model'),
    json_extract(event_json, '$.usage.input_tokens'),
    json_extract(event_json, '$.usage.output_tokens'),
    json_extract(event_json, '$.usage.cache_read_input_tokens'),
    json_extract(event_json, '$.usage.cache_creation_input_tokens'),
    json_extract(event_json, '$.usage.cache_creation.ephemeral_1h_input_tokens'),
    json_extract(event_json, '$.usage.server_tool_use.web_search_requests'),
    json_extract(event_json, '$.usage.speed'),
    json_extract(event_json, '$.usage.inference_geo')
  ) WHERE event_type = 'assistant.message';
  -- Messages in which another model was asked as well.
  CREATE INDEX facts_with_advisors ON facts (timestamp)
    WHERE event_type = 'assistant.message' AND instr(event_json, '"advisor_message"') > 0;
  CREATE INDEX facts_by_tool ON facts (
    event_type, timestamp, json_extract(payload_json, '$.toolName'), json_extract(payload_json, '$.success')
  ) WHERE event_type = 'tool_observation';
  CREATE INDEX facts_by_turn ON facts (event_type, is_machine, timestamp, session_id, project_path)
    WHERE event_type = 'turn.start' AND is_machine = 0;
  -- What the gate of driven sessions decided.
  CREATE INDEX facts_by_decision ON facts (timestamp)
    WHERE event_type = 'control.envelope' AND phase = 'decision';
  `,
  `
  -- A stream that counts its own turns keeps its number.
  DROP VIEW skill_lifecycle_events;
  CREATE VIEW skill_lifecycle_events AS
    SELECT id, timestamp AS occurred_at_iso, session_id, provider,
      coalesce(json_extract(event_json, '$.skillName'), '') AS skill_name,
      phase,
      json_extract(event_json, '$.triggerCommand') AS trigger_command,
      json_extract(event_json, '$.targetDocPath') AS target_doc_path,
      CASE json_type(event_json, '$.turnSeq') WHEN 'integer' THEN json_extract(event_json, '$.turnSeq')
        ELSE prompt_number END AS turn_seq,
      project_path,
      event_json AS raw_json
    FROM facts WHERE event_type = 'skill.lifecycle';

  -- A view cannot be indexed: these serve "the newest of a session" in the two lifecycle views.
  CREATE INDEX idx_session_events_time ON facts (session_id, timestamp DESC)
    WHERE event_type = 'session.lifecycle';
  CREATE INDEX idx_skill_events_session_time ON facts (session_id, timestamp DESC)
    WHERE event_type = 'skill.lifecycle';

  -- Projects by their short name, the last part of the path.
  CREATE VIEW projects AS
    SELECT project, replace(project, rtrim(project, replace(project, '/', '')), '') AS name,
      count(*) AS sessions, max(created_at) AS last_session_at
    FROM sdk_sessions WHERE project IS NOT NULL GROUP BY project;
  `,
  `
  -- How far each reader has followed the log. Only the log can read a position.
  CREATE TABLE log_positions (reader TEXT PRIMARY KEY, position TEXT NOT NULL) STRICT;
  INSERT INTO log_positions
    SELECT 'store', inode || '@' || byte_offset FROM lifecycle_stream_offsets WHERE stream_key = 'hookline';
  INSERT INTO log_positions SELECT 'monitor', segment || ':@' || byte_offset FROM monitor_position;
  DROP TABLE monitor_position;
  -- The first and last part of the log that a fact rests on.
  ALTER TABLE facts RENAME COLUMN first_segment TO first_part;
  ALTER TABLE facts RENAME COLUMN last_segment TO last_part;
  `,
];

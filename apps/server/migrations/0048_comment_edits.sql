-- Authors edit their comments. The job's history keeps the text from before each edit.
alter table job_comments
  add column version integer not null default 1,
  add column edited_at timestamptz(3),
  -- {"staff id": "name when mentioned"}. The text contains only the ids; the name is shown once the person is deleted.
  add column mentions jsonb not null default '{}';

-- A notification about several comments: {"key", "since", "count", "authors"}.
alter table notifications add column grouping jsonb;

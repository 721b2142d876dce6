-- graphile-worker adds nothing if a worker takes the waiting task with the same key between the two statements of `add_job`. The worker
-- may already have read what the new task is about, so the task is added again until it is there. Work on all jobs of a company consists
-- of many batches, each of which queues the next. Other tasks go first, so that they wait for no more than the batches that are running.
create or replace function queue_work(task text, payload json, job_key text default null) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  rank integer := case when task in ('name-jobs', 'reprice-jobs', 'unlink-deleted-record') then 1 else 0 end;
begin
  loop
    exit when (select added.id from graphile_worker.add_job(task, payload, job_key => queue_work.job_key, priority => rank) as added)
      is not null;
  end loop;
end $$;

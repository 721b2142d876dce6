-- A job's link to its public invoice page is now created with the job, so that reads write nothing and can share a snapshot. Earlier jobs
-- got their link when someone opened the payment page. The token has 128 bits of a hash of two random UUIDs, as base64url.
set local role callout_system;
insert into public_links (company_id, id, token, record_kind, record_id, created_at)
  select j.company_id, gen_random_uuid(),
      translate(encode(substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16), 'base64'), '+/=', '-_'),
      'invoice', j.id, now()
    from jobs j
    where not exists (select from public_links l
      where l.company_id = j.company_id and l.record_kind = 'invoice' and l.record_id = j.id and l.revoked_at is null);
reset role;

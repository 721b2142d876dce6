import { randomUUID } from 'node:crypto';
import { buildJobSearchKeys } from '../../src/features/jobs/save-job.sql.ts';
import type { TestApp } from '../test-app.ts';

export interface JobSeed {
  readonly title: string;
  readonly status?: string;
  readonly created_at: string;
  readonly customer_id?: string | null;
  readonly staff_id?: string | null;
  readonly category_id?: string | null;
  readonly booking_date?: string | null;
  readonly duration?: string | null;
}

/** Inserts many jobs and their categories at once. */
export async function insertJobs({ app }: TestApp, companyId: string, seeds: readonly JobSeed[]): Promise<void> {
  const rows = seeds.map(({ category_id = null, ...seed }, index) => {
    const job_number = `T${String(index).padStart(6, '0')}`;
    const fields = {
      status: 'booked',
      customer_id: null,
      staff_id: null,
      booking_date: null,
      duration: null,
      ...seed,
      description: 'Some work',
    };
    const job = { company_id: companyId, id: randomUUID(), job_number, job_type: 'fixed', updated_at: seed.created_at, version: 1 };
    return { ...job, ...fields, ...buildJobSearchKeys(fields, job_number), category_id };
  });
  const columns = Object.keys(rows[0] ?? {}).filter((name) => name !== 'category_id');
  const insertJobRows = `insert into jobs (${columns.join()}) select ${columns.join()} from json_populate_recordset(null::jobs, $1)`;
  const { system } = app.platform.pools;
  await system.query(insertJobRows, [JSON.stringify(rows)]);
  const categorized = rows.filter(({ category_id }) => category_id !== null);
  const insertCategories = `insert into job_categories (company_id, job_id, category_id, position)
    select company_id, id, category_id, 0 from json_to_recordset($1) as row (company_id uuid, id uuid, category_id uuid)`;
  await system.query(insertCategories, [JSON.stringify(categorized)]);
}

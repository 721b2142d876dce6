import type { Role } from '@callout/domain/roles/roles';
import type { TestApp } from '../test-app.ts';
import { type NewJobInput, type NewTaskInput, newCustomer, newJob, newTask } from './inputs.ts';
import { createFirm, type Firm } from './people.ts';
import { staffIdsOf } from './staff-ids.ts';

/** A firm with a customer, whose jobs and tasks are those of the person with the role staff. */
export async function createCalendarFirm(test: TestApp, name?: string) {
  const firm: Firm = await createFirm(test, name);
  const staffIds: Record<Role, string> = await staffIdsOf(test, firm);
  const { client } = firm.people.admin;
  const customer = await client.customers.create(newCustomer());
  const job = (over: Partial<NewJobInput> = {}) => newJob({ customer_id: customer.id, staff_id: staffIds.staff, ...over });
  return {
    ...firm,
    staffIds,
    customer,
    addJob: (over: Partial<NewJobInput> = {}) => client.jobs.create(job(over)),
    addTask: (over: Partial<NewTaskInput> = {}) =>
      client.tasks.create(newTask({ show_in_calendar: true, staff_id: staffIds.staff, ...over })),
    /** As a quote leaves it: without date, duration and person. */
    async addUnscheduledJob(over: Partial<NewJobInput> = {}) {
      const { id } = await client.jobs.create(job({ staff_id: staffIds.admin, ...over }));
      const clear = `update jobs set booking_date = null, duration = null, staff_id = null, status = $2 where id = $1`;
      await test.owner.query(clear, [id, over.status ?? 'pending']);
      return client.jobs.get({ id });
    },
  };
}

export type CalendarFirm = Awaited<ReturnType<typeof createCalendarFirm>>;

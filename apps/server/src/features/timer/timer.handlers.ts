import { can } from '@callout/domain/roles/roles';
import { startOfDay } from '@callout/domain/time/zoned-time';
import { addWeeks, weekOf } from '@callout/domain/timer/time-sheet';
import { requireCapability } from '../../platform/errors/failures.ts';
import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { readTimezone } from '../company/company.sql.ts';
import { allocateTime, correctEnd, pauseTimer, readActiveTimer, startTimer } from './run-timer.ts';
import { listEntries } from './timer.sql.ts';

export const timerHandlers = {
  active: calls.timer.active.handler(tenantQuery(async (scope) => ({ timer: await readActiveTimer(scope), server_time: scope.now }))),

  start: calls.timer.start.handler(tenantMutation((scope, { input }) => startTimer(scope, input))),

  pause: calls.timer.pause.handler(tenantMutation((scope, { input }) => pauseTimer(scope, input))),

  correct: calls.timer.correct.handler(tenantMutation((scope, { input }) => correctEnd(scope, input))),

  allocate: calls.timer.allocate.handler(tenantMutation((scope, { input }) => allocateTime(scope, input))),

  sheet: calls.timer.sheet.handler(
    tenantQuery(async (scope, { input: { week: date, staff_id }, context: { member } }) => {
      const seesAll = can(member.role, 'time.viewAll');
      if (staff_id !== undefined && staff_id !== member.staffId) requireCapability(member.role, 'time.viewAll');
      const timezone = await readTimezone(scope);
      const week = weekOf(date);
      const [from, to] = [startOfDay(week, timezone), startOfDay(addWeeks(week, 1), timezone)];
      const entries = await listEntries(scope, { from, to, staffId: seesAll ? staff_id : member.staffId });
      return { week, from, to, timezone, entries, server_time: scope.now };
    }),
  ),
};

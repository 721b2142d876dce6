import { hasCapability } from '@callout/domain/roles/roles';
import { getStartOfDay } from '@callout/domain/time/zoned-time';
import { addWeeks, getWeekStart } from '@callout/domain/timer/time-sheet';
import { requireCapability } from '../../platform/errors/failures.ts';
import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { readTimezone } from '../company/company.sql.ts';
import { addTime } from './add-time.ts';
import { changeAddedTime, removeAddedTime } from './change-added-time.ts';
import { startTimer } from './start-timer.ts';
import { listTimeSheetEntries } from './timer.sql.ts';
import { allocateTime, correctEntryEnd, pauseTimer, readActiveTimer } from './track-time.ts';

export const timerHandlers = {
  active: calls.timer.active.handler(tenantQuery(async (scope) => ({ timer: await readActiveTimer(scope), server_time: scope.now }))),

  start: calls.timer.start.handler(tenantMutation((scope, { input }) => startTimer(scope, input))),

  pause: calls.timer.pause.handler(tenantMutation((scope, { input }) => pauseTimer(scope, input))),

  correct: calls.timer.correct.handler(tenantMutation((scope, { input }) => correctEntryEnd(scope, input))),

  add: calls.timer.add.handler(tenantMutation((scope, { input }) => addTime(scope, input))),

  change: calls.timer.change.handler(tenantMutation((scope, { input }) => changeAddedTime(scope, input))),

  remove: calls.timer.remove.handler(
    tenantMutation(async (scope, { input }) => {
      await removeAddedTime(scope, input.id);
      return {};
    }),
  ),

  allocate: calls.timer.allocate.handler(tenantMutation((scope, { input }) => allocateTime(scope, input))),

  sheet: calls.timer.sheet.handler(
    tenantQuery(async (scope, { input: { week: date, staff_id }, context: { member } }) => {
      const canViewAll = hasCapability(member.role, 'time.viewAll');
      if (staff_id !== undefined && staff_id !== member.staffId) requireCapability(member.role, 'time.viewAll');
      const timezone = await readTimezone(scope);
      const week = getWeekStart(date);
      const [from, to] = [getStartOfDay(week, timezone), getStartOfDay(addWeeks(week, 1), timezone)];
      const entries = await listTimeSheetEntries(scope, { from, to, staffId: canViewAll ? staff_id : member.staffId });
      return { week, from, to, timezone, entries, server_time: scope.now };
    }),
  ),
};

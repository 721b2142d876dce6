import { NewTask, type Task } from '@callout/contract/tasks';
import { DURATION_STEP, isDurationHours, MIN_DURATION_HOURS } from '@callout/domain/durations/duration';
import { fieldTime, wallTime } from '@callout/domain/time/wall-time';
import { localDate, zonedInstant } from '@callout/domain/time/zoned-time';
import { z } from 'zod';
import { defineForm } from '../../lib/form-definition.ts';
import { TASK_COLOR_CHOICES } from './task-color.ts';
import { DEFAULT_HOURS } from './tasks.api.ts';

const { title, description, color, show_in_calendar, staff_id } = NewTask.shape;

/** What the form of a task holds. Date and time are those of the zone that was shown when it was opened; without the calendar they may be missing. */
const TaskFields = z.object({
  title,
  description,
  color,
  show_in_calendar,
  date: z.string(),
  time: z.string(),
  duration: z.string().trim(),
  staff_id,
});

type CalendarFields = Pick<z.output<typeof TaskFields>, 'show_in_calendar' | 'date' | 'time' | 'duration'>;

/** The calendar makes quarters of an hour; a task that has some may keep them. */
const QUARTER_STEP = '0.25';

function durationProblem(hours: string, step: string): string | undefined {
  if (hours === '') return 'Duration is required';
  if (!/^-?\d+(\.\d+)?$/.test(hours)) return 'Duration must be a number';
  if (Number(hours) > 9_999) return 'Duration must be at most 9,999 hours';
  const isStep = isDurationHours(hours) && Number(hours) % Number(step) === 0;
  return isStep ? undefined : `Duration must be at least ${MIN_DURATION_HOURS} hours, in steps of ${step}`;
}

const problemOf: Record<'date' | 'time' | 'duration', (fields: CalendarFields, step: string) => string | undefined> = {
  date: ({ date }) => (z.iso.date().safeParse(date).success ? undefined : 'Date is required'),
  time: ({ time }) => (z.iso.time({ precision: -1 }).safeParse(time).success ? undefined : 'Time is required'),
  duration: ({ duration }, step) => durationProblem(duration, step),
};

const schemaOf = (step: string) =>
  TaskFields.check(({ value, issues }) => {
    if (!value.show_in_calendar) return;
    for (const name of ['date', 'time', 'duration'] as const) {
      const message = problemOf[name](value, step);
      if (message !== undefined) issues.push({ code: 'custom', message, path: [name], input: value });
    }
  });

const isHidden = (task: { show_in_calendar: boolean }) => !task.show_in_calendar;
const inCalendar = { hiddenWhen: isHidden, keepHidden: true } as const;

const formOf = (step: string, zone: string) =>
  defineForm({
    schema: schemaOf(step),
    from: (task: Task) => ({
      title: task.title,
      description: task.description,
      color: task.color,
      show_in_calendar: task.show_in_calendar,
      ...calendarFields(task.calendar_date, zone),
      duration: shownHours(task.calendar_duration),
      staff_id: task.staff_id,
    }),
    fields: {
      title: { label: 'Title', width: 'full' },
      description: { label: 'Description', input: 'lines', width: 'full' },
      color: { label: 'Color', input: 'colors', choices: TASK_COLOR_CHOICES, initial: 'yellow', width: 'full' },
      show_in_calendar: { label: 'Show in calendar', width: 'full' },
      date: { label: 'Date', ...inCalendar },
      time: { label: 'Time', ...inCalendar, initial: DEFAULT_TIME },
      duration: { label: 'Duration', input: 'decimal', ...inCalendar, initial: DEFAULT_HOURS },
      staff_id: { label: 'Staff member', input: 'select', width: 'full' },
    },
  });

const DEFAULT_TIME = '08:00';

/** The form of a new task, or of a stored one, which may have quarter hours; in the zone that was shown when it was opened. */
export const taskFormFor = (zone: string, task: Task | undefined) =>
  formOf(Number(task?.calendar_duration ?? 0) % Number(DURATION_STEP) === 0 ? DURATION_STEP : QUARTER_STEP, zone);

export type TaskValues = ReturnType<typeof taskFormFor>['initial'];
export type TaskFormOutput = z.output<typeof TaskFields>;

/** '1.50' is shown as 1.5. */
const shownHours = (hours: string | null) => (hours === null ? DEFAULT_HOURS : String(Number(hours)));

function calendarFields(instant: string | null, zone: string): { date: string; time: string } {
  if (instant === null) return { date: '', time: DEFAULT_TIME };
  return { date: localDate(instant, zone), time: fieldTime(wallTime(instant, zone)) };
}

export const todayIn = (zone: string) => localDate(new Date().toISOString(), zone);

/** What was typed as the server takes it. A date that was not touched keeps its instant, also its seconds; what was never in the calendar has none. */
export function toTaskInput({ date, time, duration, ...task }: TaskFormOutput, zone: string, before: Task | undefined) {
  const stored = before?.calendar_date ?? null;
  const shown = calendarFields(stored, zone);
  const isSame = stored !== null && shown.date === date && shown.time === time;
  const hasDate = task.show_in_calendar || (stored !== null && date !== '' && time !== '');
  if (!hasDate) return { ...task, calendar_date: null, calendar_duration: null };
  return { ...task, calendar_date: isSame ? stored : zonedInstant(date, time, zone), calendar_duration: duration };
}

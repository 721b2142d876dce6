import { NewTask, type Task } from '@callout/contract/tasks';
import { DURATION_STEP_HOURS, isValidDurationHours, MIN_DURATION_HOURS } from '@callout/domain/durations/duration';
import { toTimeInputValue, toWallTime } from '@callout/domain/time/wall-time';
import { toInstant, toLocalDate } from '@callout/domain/time/zoned-time';
import { z } from 'zod';
import { defineForm } from '../../lib/form-definition.ts';
import { TASK_COLOR_CHOICES } from './task-color.ts';
import { DEFAULT_TASK_HOURS } from './tasks.api.ts';

const { title, description, color, show_in_calendar, staff_id } = NewTask.shape;

/** Values of the task form. Date and time use the time zone displayed when the form opened; both may be empty outside the calendar. */
const TaskFormSchema = z.object({
  title,
  description,
  color,
  show_in_calendar,
  date: z.string(),
  time: z.string(),
  duration: z.string().trim(),
  staff_id,
});

type CalendarFieldValues = Pick<z.output<typeof TaskFormSchema>, 'show_in_calendar' | 'date' | 'time' | 'duration'>;

/** Duration step, in hours, for tasks that were resized in the calendar, which allows quarter hours. */
const QUARTER_HOUR_STEP = '0.25';

function findDurationError(hours: string, step: string): string | undefined {
  if (hours === '') return 'Duration is required';
  if (!/^-?\d+(\.\d+)?$/.test(hours)) return 'Duration must be a number';
  if (Number(hours) > 9_999) return 'Duration must be at most 9,999 hours';
  const isValidStep = isValidDurationHours(hours) && Number(hours) % Number(step) === 0;
  return isValidStep ? undefined : `Duration must be at least ${MIN_DURATION_HOURS} hours, in steps of ${step}`;
}

const FIELD_VALIDATORS: Record<'date' | 'time' | 'duration', (fields: CalendarFieldValues, step: string) => string | undefined> = {
  date: ({ date }) => (z.iso.date().safeParse(date).success ? undefined : 'Date is required'),
  time: ({ time }) => (z.iso.time({ precision: -1 }).safeParse(time).success ? undefined : 'Time is required'),
  duration: ({ duration }, step) => findDurationError(duration, step),
};

const createTaskSchema = (step: string) =>
  TaskFormSchema.check(({ value, issues }) => {
    if (!value.show_in_calendar) return;
    for (const name of ['date', 'time', 'duration'] as const) {
      const message = FIELD_VALIDATORS[name](value, step);
      if (message !== undefined) issues.push({ code: 'custom', message, path: [name], input: value });
    }
  });

const isOutsideCalendar = (task: { show_in_calendar: boolean }) => !task.show_in_calendar;
const CALENDAR_FIELD_OPTIONS = { hiddenWhen: isOutsideCalendar, submitWhenHidden: true } as const;

const defineTaskForm = (step: string, zone: string) =>
  defineForm({
    schema: createTaskSchema(step),
    fromRecord: (task: Task) => ({
      title: task.title,
      description: task.description,
      color: task.color,
      show_in_calendar: task.show_in_calendar,
      ...toCalendarFields(task.calendar_date, zone),
      duration: formatHours(task.calendar_duration),
      staff_id: task.staff_id,
    }),
    fields: {
      title: { label: 'Title', width: 'full' },
      description: { label: 'Description', input: 'lines', width: 'full' },
      color: { label: 'Color', input: 'colors', choices: TASK_COLOR_CHOICES, initial: 'yellow', width: 'full' },
      show_in_calendar: { label: 'Show in calendar', width: 'full' },
      date: { label: 'Date', ...CALENDAR_FIELD_OPTIONS },
      time: { label: 'Time', ...CALENDAR_FIELD_OPTIONS, initial: DEFAULT_TASK_TIME },
      duration: { label: 'Duration', input: 'decimal', ...CALENDAR_FIELD_OPTIONS, initial: DEFAULT_TASK_HOURS },
      staff_id: { label: 'Staff member', input: 'select', width: 'full' },
    },
  });

const DEFAULT_TASK_TIME = '08:00';

/** Creates the form definition. Pass the stored task when editing, so that its quarter hours stay valid. */
export const createTaskForm = (zone: string, task: Task | undefined) =>
  defineTaskForm(Number(task?.calendar_duration ?? 0) % Number(DURATION_STEP_HOURS) === 0 ? DURATION_STEP_HOURS : QUARTER_HOUR_STEP, zone);

export type TaskFormValues = ReturnType<typeof createTaskForm>['initial'];
export type TaskFormOutput = z.output<typeof TaskFormSchema>;

const formatHours = (hours: string | null) => (hours === null ? DEFAULT_TASK_HOURS : String(Number(hours)));

function toCalendarFields(instant: string | null, zone: string): { date: string; time: string } {
  if (instant === null) return { date: '', time: DEFAULT_TASK_TIME };
  return { date: toLocalDate(instant, zone), time: toTimeInputValue(toWallTime(instant, zone)) };
}

export const getTodayInZone = (zone: string) => toLocalDate(new Date().toISOString(), zone);

/** Converts form values to the server's input. An unchanged date keeps its exact instant. A never scheduled task has no date. */
export function toTaskInput({ date, time, duration, ...task }: TaskFormOutput, zone: string, before: Task | undefined) {
  const stored = before?.calendar_date ?? null;
  const displayed = toCalendarFields(stored, zone);
  const isUnchanged = stored !== null && displayed.date === date && displayed.time === time;
  const hasDate = task.show_in_calendar || (stored !== null && date !== '' && time !== '');
  if (!hasDate) return { ...task, calendar_date: null, calendar_duration: null };
  return { ...task, calendar_date: isUnchanged ? stored : toInstant(date, time, zone), calendar_duration: duration };
}

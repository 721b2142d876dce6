import { TASK_COLORS, type TaskColor, type TaskStatus } from '@callout/domain/tasks/task';
import { HOUR_MS } from '@callout/domain/time/time-units';
import { generateId } from './customers.ts';
import { JOB_OBJECTS, JOB_PLACES, NOTES } from './name-parts.ts';
import { createRandom, type Random } from './random.ts';

export interface GeneratedTask {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly color: TaskColor;
  readonly show_in_calendar: boolean;
  readonly calendar_date: string | null;
  readonly calendar_duration: string | null;
  readonly status: TaskStatus;
  readonly completed_at: string | null;
  readonly created_at: string;
}

const FIRST_CREATED_AT = Date.UTC(2023, 0, 2);
/** So that they span the same years as the jobs. */
const HOURS_BETWEEN = 4;

/** Generates realistic tasks, the same ones for the same seed, the oldest first. Every second one is in the calendar. */
export function generateTasks(seed: number, count: number): GeneratedTask[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => generateTask(random, index));
}

function generateTask(random: Random, index: number): GeneratedTask {
  const created = FIRST_CREATED_AT + index * HOURS_BETWEEN * HOUR_MS;
  const isInCalendar = index % 2 === 0;
  const isCompleted = random.next() < 0.9;
  return {
    id: generateId(created, random),
    title: `Order ${random.pickSkewed(JOB_OBJECTS)} ${random.pick(JOB_PLACES)}`,
    description: random.pick(NOTES),
    color: random.pick(TASK_COLORS),
    show_in_calendar: isInCalendar,
    calendar_date: isInCalendar ? new Date(created + random.integerBelow(10) * 24 * HOUR_MS).toISOString() : null,
    calendar_duration: isInCalendar ? '1.5' : null,
    status: isCompleted ? 'completed' : 'active',
    completed_at: isCompleted ? new Date(created + 48 * HOUR_MS).toISOString() : null,
    created_at: new Date(created).toISOString(),
  };
}

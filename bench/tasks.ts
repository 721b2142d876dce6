import { TASK_COLORS, type TaskColor, type TaskStatus } from '@callout/domain/tasks/task';
import { HOUR_MS } from '@callout/domain/time/time-units';
import { generateUuidV7 } from './customers.ts';
import { createRandomGenerator, type RandomGenerator } from './random.ts';
import { CUSTOMER_NOTES, JOB_LOCATIONS, JOB_OBJECTS } from './sample-words.ts';

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
/** Chosen so that the tasks cover the same years as the jobs. */
const HOURS_BETWEEN_TASKS = 4;

/** Generates realistic tasks, oldest first. Every second task is in the calendar. The same seed always gives the same tasks. */
export function generateTasks(seed: number, count: number): GeneratedTask[] {
  const random = createRandomGenerator(seed);
  return Array.from({ length: count }, (_, index) => generateTask(random, index));
}

function generateTask(random: RandomGenerator, index: number): GeneratedTask {
  const created = FIRST_CREATED_AT + index * HOURS_BETWEEN_TASKS * HOUR_MS;
  const isInCalendar = index % 2 === 0;
  const isCompleted = random.next() < 0.9;
  return {
    id: generateUuidV7(created, random),
    title: `Order ${random.pickSkewed(JOB_OBJECTS)} ${random.pick(JOB_LOCATIONS)}`,
    description: random.pick(CUSTOMER_NOTES),
    color: random.pick(TASK_COLORS),
    show_in_calendar: isInCalendar,
    calendar_date: isInCalendar ? new Date(created + random.integerBelow(10) * 24 * HOUR_MS).toISOString() : null,
    calendar_duration: isInCalendar ? '1.5' : null,
    status: isCompleted ? 'completed' : 'active',
    completed_at: isCompleted ? new Date(created + 48 * HOUR_MS).toISOString() : null,
    created_at: new Date(created).toISOString(),
  };
}

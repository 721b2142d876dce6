import { TASK_COLOR_LABELS, TASK_COLORS, type TaskColor } from '@callout/domain/tasks/task';
import type { ColorChoice } from '../../ui/color-field.tsx';

/** Hex colors that are dark enough for a task's outline in the calendar. */
export const TASK_HEX_COLORS: Record<TaskColor, string> = {
  yellow: '#ca8a04',
  blue: '#2563eb',
  purple: '#9333ea',
  green: '#16a34a',
  red: '#dc2626',
  pink: '#db2777',
  indigo: '#4f46e5',
  teal: '#0d9488',
};

export const TASK_COLOR_CHOICES: readonly ColorChoice[] = TASK_COLORS.map((value) => ({
  value,
  label: TASK_COLOR_LABELS[value],
  color: TASK_HEX_COLORS[value],
}));

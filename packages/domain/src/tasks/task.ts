/** Task colors in the order that the color picker shows them. Yellow is the default. */
export const TASK_COLORS = ['yellow', 'blue', 'purple', 'green', 'red', 'pink', 'indigo', 'teal'] as const;
export type TaskColor = (typeof TASK_COLORS)[number];

export const TASK_COLOR_LABELS: Record<TaskColor, string> = {
  yellow: 'Yellow',
  blue: 'Blue',
  purple: 'Purple',
  green: 'Green',
  red: 'Red',
  pink: 'Pink',
  indigo: 'Indigo',
  teal: 'Teal',
};

export const TASK_STATUSES = ['active', 'completed'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

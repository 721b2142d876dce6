import { scheduleJob, scheduleTask } from '../../features/calendar/calendar-schedule.api.ts';
import { addComment, removeComment, updateComment } from '../../features/comments/comments.api.ts';
import { dismissStartCard } from '../../features/company/company.api.ts';
import { saveMenuOrder } from '../../features/company/company-settings.api.ts';
import { createCustomer, updateCustomer } from '../../features/customers/customers.api.ts';
import { createJob } from '../../features/jobs/jobs.api.ts';
import { addItems, changeQuantity, listItem, removeItem, setQuantity, updateItem } from '../../features/jobs/jobs-items.api.ts';
import { updateJob } from '../../features/jobs/jobs-save.api.ts';
import { setJobStatus } from '../../features/jobs/jobs-status.api.ts';
import {
  clearNotifications,
  markAllNotificationsRead,
  markNotificationRead,
  removeNotification,
  restoreNotifications,
} from '../../features/notifications/notifications.api.ts';
import { createTask, setTaskStatus, updateTask } from '../../features/tasks/tasks.api.ts';
import { pauseTimer, startTimer } from '../../features/timer/timer-commands.api.ts';
import { addTime, changeTime, correctEnd, removeTime } from '../../features/timer/timer-entries.api.ts';

/** All commands. Loaded for commands from an earlier visit, which may have been made on pages that are not open now. */
export const COMMAND_DEFINITIONS = [
  startTimer,
  pauseTimer,
  correctEnd,
  addTime,
  changeTime,
  removeTime,
  createCustomer,
  updateCustomer,
  createJob,
  updateJob,
  setJobStatus,
  addItems,
  updateItem,
  setQuantity,
  changeQuantity,
  removeItem,
  listItem,
  scheduleJob,
  scheduleTask,
  createTask,
  updateTask,
  setTaskStatus,
  addComment,
  updateComment,
  removeComment,
  markNotificationRead,
  markAllNotificationsRead,
  removeNotification,
  clearNotifications,
  restoreNotifications,
  saveMenuOrder,
  dismissStartCard,
] as const;

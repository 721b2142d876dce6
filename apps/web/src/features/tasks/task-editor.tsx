import type { Task } from '@callout/contract/tasks';
import { DURATION_STEP_HOURS } from '@callout/domain/durations/duration';
import { formatTimeZone } from '@callout/domain/time/time-zones';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { formatClockChangeNotice } from '../../lib/clock-change.ts';
import { createId } from '../../lib/create-id.ts';
import { FormFields } from '../../lib/form-fields.tsx';
import { RecordForm } from '../../lib/record-form.tsx';
import { getDisplayTimeZone } from '../../lib/time-zone.ts';
import { type RecordEditor, useRecordForm } from '../../lib/use-record-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckboxField } from '../../ui/choice-fields.tsx';
import { type Choice, SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { FINE_POINTER_QUERY } from '../../ui/use-browser-state.ts';
import { useMe } from '../company/company.api.ts';
import { UNASSIGNED_LABEL } from '../jobs/job-labels.tsx';
import { staffNamesQueryOptions } from '../staff/staff.api.ts';
import { createTaskForm, getTodayInZone, type TaskFormOutput, type TaskFormValues, toTaskInput } from './task-form.ts';
import { type BookingHandler, findNewBooking, useCreateTask, useUpdateTask } from './tasks.api.ts';

type TaskEditorState = RecordEditor<TaskFormValues, TaskFormOutput, Task>;

interface TaskEditorProps {
  task?: Task;
  /** True if the task was deleted in another tab or by someone else while it was open. */
  isDeleted?: boolean;
  onClose: () => void;
  onBooked: BookingHandler;
}

export function TaskEditor({ task, isDeleted = false, onClose, onBooked }: TaskEditorProps) {
  const create = useCreateTask();
  const update = useUpdateTask();
  /** One id per form, so that a retry after a lost response doesn't create a second task. */
  const [id, setId] = useState(createId);
  /** Fixed when the form opens, so that switching time zones elsewhere doesn't shift the typed times. */
  const [zone] = useState(getDisplayTimeZone);
  const [definition] = useState(() => createTaskForm(zone, task));
  const staff = useStaffChoices(task);
  const editor = useRecordForm({
    definition,
    record: task,
    initial: { date: getTodayInZone(zone) },
    person: useMe().user.id,
    part: `?task=${task?.id ?? 'new'}`,
    newRecordId: [id, setId],
    save: async (values, version) => {
      const input = toTaskInput(values, zone, task);
      const saved = await (task && !isDeleted ? update(task, version, input) : create(id, input));
      const newBooking = findNewBooking(saved, task, zone);
      if (newBooking) onBooked(newBooking);
      return saved;
    },
    onSaved: (_task, unsavedEdits) => (Object.keys(unsavedEdits).length === 0 || !task ? onClose() : undefined),
  });
  const { form } = editor;
  useEffect(() => {
    // Close has focus while the form loads. Focus the title now, but not on phones, where focusing opens the keyboard.
    const isDialogFocused = document.activeElement?.closest('[data-modal]');
    if (isDialogFocused && window.matchMedia(FINE_POINTER_QUERY).matches) form.setFocus('title');
  }, [form]);
  const label = isDeleted ? 'Save as new task' : task ? 'Save Changes' : 'Add Task';
  const savingLabel = task && !isDeleted ? 'Saving…' : 'Adding…';
  return (
    <>
      {isDeleted && (
        <Banner tone="warn" className="mb-4">
          This task has been deleted. You can save your version as a new task.
        </Banner>
      )}
      <RecordForm
        editor={editor}
        recordLabel="this task"
        frame="none"
        isDeleted={isDeleted}
        openedBy={['task', 'add']}
        choices={{ staff_id: staff }}
        actions={
          <div
            data-save-bar=""
            className="sticky -bottom-5 -mx-5 -mb-5 flex gap-2 border-t bg-raised px-5 py-4 md:justify-end md:rounded-b-card"
          >
            <Button onClick={onClose} className="max-md:flex-1">
              Cancel
            </Button>
            <Button type="submit" tone="primary" busy={editor.saving} className="max-md:flex-1">
              {editor.saving ? savingLabel : label}
            </Button>
          </div>
        }
      >
        <div className="grid items-start gap-4 sm:grid-cols-6">
          <FormFields editor={editor} names={['title', 'description', 'color']} extras={{ description: { rows: 3 } }} />
          <CalendarFields editor={editor} zone={zone} />
          <SelectField
            {...form.register('staff_id')}
            label="Staff member"
            optional
            choices={staff}
            value={useWatch({ control: form.control, name: 'staff_id' })}
            error={form.getFieldState('staff_id', form.formState).error?.message}
            className="sm:col-span-6"
          />
        </div>
      </RecordForm>
    </>
  );
}

/** Returns the staff choices, including the person already assigned to the task if they aren't in the loaded list. */
function useStaffChoices(task: Task | undefined): readonly Choice[] {
  const names = useQuery(staffNamesQueryOptions).data ?? [];
  const people = task?.staff && !names.some(({ id }) => id === task.staff_id) ? [...names, task.staff] : names;
  return [{ value: '', label: UNASSIGNED_LABEL }, ...people.map(({ id, name }) => ({ value: id, label: name }))];
}

interface CalendarFieldsProps {
  editor: TaskEditorState;
  zone: string;
}

function CalendarFields({ editor, zone }: CalendarFieldsProps) {
  const { form } = editor;
  const isInCalendar = useWatch({ control: form.control, name: 'show_in_calendar' });
  const getError = (name: 'date' | 'time') => form.getFieldState(name, form.formState).error?.message;
  return (
    <>
      <CheckboxField
        {...form.register('show_in_calendar', {
          onChange: () => {
            if (form.getValues('date') === '') form.setValue('date', getTodayInZone(zone));
          },
        })}
        label="Show in calendar"
        className="sm:col-span-6"
      />
      {isInCalendar && (
        <div className="grid grid-cols-2 items-start gap-x-3 gap-y-4 sm:col-span-6 sm:grid-cols-6">
          <TextField {...form.register('date')} label="Date" type="date" error={getError('date')} className="sm:col-span-2" />
          <TextField
            {...form.register('time')}
            label="Time"
            type="time"
            step={900}
            hint={formatTimeZone(zone)}
            error={getError('time')}
            className="sm:col-span-2"
          />
          <FormFields
            editor={editor}
            names={['duration']}
            extras={{ duration: { step: DURATION_STEP_HOURS, trailing: 'h', className: 'sm:col-span-2' } }}
          />
          <ClockChangeWarning editor={editor} zone={zone} />
        </div>
      )}
    </>
  );
}

/** Warns if a clock change skips or repeats the entered time. A separate component, so typing doesn't re-render the whole form. */
function ClockChangeWarning({ editor: { form }, zone }: CalendarFieldsProps) {
  const [date, time] = useWatch({ control: form.control, name: ['date', 'time'] });
  const text = formatClockChangeNotice(date, time, zone, 'The task starts at');
  return (
    text && (
      <Banner tone="warn" className="col-span-full">
        {text}
      </Banner>
    )
  );
}

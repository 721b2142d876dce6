import type { Task } from '@callout/contract/tasks';
import { DURATION_STEP } from '@callout/domain/durations/duration';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { clockChangeText } from '../../lib/clock-change.ts';
import { FormFields } from '../../lib/form-fields.tsx';
import { newId } from '../../lib/new-id.ts';
import { RecordForm } from '../../lib/record-form.tsx';
import { shownTimeZone, timeZoneText } from '../../lib/time-zone.ts';
import { type RecordEditor, useRecordForm } from '../../lib/use-record-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckboxField } from '../../ui/choice-fields.tsx';
import { type Choice, SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { HAS_KEYBOARD } from '../../ui/use-browser-state.ts';
import { useMe } from '../company/company.api.ts';
import { UNASSIGNED } from '../jobs/job-labels.tsx';
import { staffNamesQuery } from '../staff/staff.api.ts';
import { type TaskFormOutput, type TaskValues, taskFormFor, todayIn, toTaskInput } from './task-form.ts';
import { bookedBy, type OnBooked, useCreateTask, useUpdateTask } from './tasks.api.ts';

type TaskEditorState = RecordEditor<TaskValues, TaskFormOutput, Task>;

interface TaskEditorProps {
  /** Left out for a new one. */
  task?: Task;
  /** It was deleted by somebody else. */
  gone?: boolean;
  onClose: () => void;
  onBooked: OnBooked;
}

/** The form of a task. Loaded with the first dialog that shows it. */
export function TaskEditor({ task, gone = false, onClose, onBooked }: TaskEditorProps) {
  const create = useCreateTask();
  const update = useUpdateTask();
  /** Made once per form: sending again after a lost answer is the same task, not a second one. */
  const [id, setId] = useState(newId);
  /** What is typed means this zone, also when another one is chosen elsewhere. */
  const [zone] = useState(shownTimeZone);
  const [definition] = useState(() => taskFormFor(zone, task));
  const staff = useStaffChoices(task);
  const editor = useRecordForm({
    definition,
    record: task,
    initial: { date: todayIn(zone) },
    person: useMe().user.id,
    part: `?task=${task?.id ?? 'new'}`,
    newId: [id, setId],
    save: async (values, version) => {
      const input = toTaskInput(values, zone, task);
      const saved = await (task && !gone ? update.mutateAsync({ id: task.id, version, ...input }) : create.mutateAsync({ id, ...input }));
      const booked = bookedBy(saved, task, zone);
      if (booked) onBooked(booked);
      return saved;
    },
    onSaved: (_task, later) => (Object.keys(later).length === 0 || !task ? onClose() : undefined),
  });
  const { form } = editor;
  useEffect(() => {
    // The dialog opened before the form was there, and had nothing else to focus than its Close. A phone would open its keyboard.
    const isWaiting = document.activeElement?.closest('[data-modal]');
    if (isWaiting && window.matchMedia(HAS_KEYBOARD).matches) form.setFocus('title');
  }, [form]);
  const label = gone ? 'Save as new task' : task ? 'Save Changes' : 'Add Task';
  const savingLabel = task && !gone ? 'Saving…' : 'Adding…';
  return (
    <>
      {gone && (
        <Banner tone="warn" className="mb-4">
          This task has been deleted. You can save your version as a new task.
        </Banner>
      )}
      <RecordForm
        editor={editor}
        what="this task"
        frame="none"
        gone={gone}
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

/** Whom a task can be given to, with the person who has it already. */
function useStaffChoices(task: Task | undefined): readonly Choice[] {
  const names = useQuery(staffNamesQuery).data ?? [];
  const people = task?.staff && !names.some(({ id }) => id === task.staff_id) ? [...names, task.staff] : names;
  return [{ value: '', label: UNASSIGNED }, ...people.map(({ id, name }) => ({ value: id, label: name }))];
}

interface CalendarFieldsProps {
  editor: TaskEditorState;
  /** In which date and time are typed. */
  zone: string;
}

function CalendarFields({ editor, zone }: CalendarFieldsProps) {
  const { form } = editor;
  const isShown = useWatch({ control: form.control, name: 'show_in_calendar' });
  const errorOf = (name: 'date' | 'time') => form.getFieldState(name, form.formState).error?.message;
  return (
    <>
      <CheckboxField
        {...form.register('show_in_calendar', {
          onChange: () => {
            if (form.getValues('date') === '') form.setValue('date', todayIn(zone));
          },
        })}
        label="Show in calendar"
        className="sm:col-span-6"
      />
      {isShown && (
        <div className="grid grid-cols-2 items-start gap-x-3 gap-y-4 sm:col-span-6 sm:grid-cols-6">
          <TextField {...form.register('date')} label="Date" type="date" error={errorOf('date')} className="sm:col-span-2" />
          <TextField
            {...form.register('time')}
            label="Time"
            type="time"
            step={900}
            hint={timeZoneText(zone)}
            error={errorOf('time')}
            className="sm:col-span-2"
          />
          <FormFields
            editor={editor}
            names={['duration']}
            extras={{ duration: { step: DURATION_STEP, trailing: 'h', className: 'sm:col-span-2' } }}
          />
          <ClockChangeWarning editor={editor} zone={zone} />
        </div>
      )}
    </>
  );
}

/** A component of its own, so that what is typed does not render the whole form. */
function ClockChangeWarning({ editor: { form }, zone }: CalendarFieldsProps) {
  const [date, time] = useWatch({ control: form.control, name: ['date', 'time'] });
  const text = clockChangeText(date, time, zone, 'The task starts at');
  return (
    text && (
      <Banner tone="warn" className="col-span-full">
        {text}
      </Banner>
    )
  );
}

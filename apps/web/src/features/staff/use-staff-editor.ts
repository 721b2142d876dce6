import type { StaffMember } from '@callout/contract/staff';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { reportFailure } from '../../lib/report-failure.ts';
import { useRecordEditor } from '../../lib/use-record-editor.ts';
import { toast } from '../../ui/toast.ts';
import { useMe } from '../company/company.api.ts';
import { useUpdateStaffMember } from './staff.api.ts';
import { StaffFormSchema, staffValues } from './staff-values.ts';

export function useStaffEditor(member: StaffMember) {
  const update = useUpdateStaffMember();
  const editor = useRecordEditor({
    record: member,
    person: useMe().user.id,
    schema: StaffFormSchema,
    valuesOf: staffValues,
    save: async (values, version) => (await update.mutateAsync({ id: member.id, version, ...values })).member,
    saved: () => toast.success('Staff member updated successfully'),
    failed: (error) => {
      if (hasCode(error, 'EMAIL_TAKEN')) editor.form.setError('email', { type: 'server', message: error.message }, { shouldFocus: true });
      reportFailure(error, `Failed to update staff member: ${messageOf(error)}`);
    },
  });
  return { ...editor, mailKept: member.status === 'invited' && update.data?.mail === 'kept' };
}

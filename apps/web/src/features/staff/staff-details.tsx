import type { StaffColor, StaffMember } from '@callout/contract/staff';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { FieldDifference, FieldValue } from '../../lib/edited-values.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ColorField } from '../../ui/color-field.tsx';
import { ConflictCard } from '../../ui/conflict-card.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { UnsavedChanges } from '../../ui/unsaved-changes.tsx';
import { MailKept } from './mail-kept.tsx';
import { ROLE_LABELS } from './role-choices.ts';
import { staffColorsQuery } from './staff.api.ts';
import { StaffFormFields } from './staff-form-fields.tsx';
import { STAFF_FIELD_LABELS, type StaffField } from './staff-values.ts';
import { useStaffEditor } from './use-staff-editor.ts';

const EMAIL_HINTS: Record<StaffMember['status'], string | undefined> = {
  active: 'How you reach them. What they sign in with, they change themselves.',
  invited: 'A new address gets a new invitation; the link already sent stops working.',
  expired: undefined,
  uninvited: undefined,
};

/** Colours are read apart; until they are there the member's own stands in the grid. */
function useColors({ color }: StaffMember): readonly StaffColor[] {
  const { data } = useQuery(staffColorsQuery);
  return useMemo(() => data?.rows ?? (color ? [color] : []), [data, color]);
}

/** `gone`: deleted meanwhile. What was typed can still be read and copied, but nothing offers to save it. */
export function StaffDetails({ member, gone }: { member: StaffMember; gone: boolean }) {
  const editor = useStaffEditor(member);
  const { form, saving, dirty, conflict } = editor;
  const { errors } = form.formState;
  const colors = useColors(member);
  const shown = (field: StaffField, value: FieldValue) => inWords(field, String(value), colors);
  return (
    <>
      {conflict && (
        <ConflictCard
          what="this staff member"
          differences={conflict.map((difference) => named(difference, shown))}
          saving={saving}
          onLoadTheirs={editor.loadTheirs}
          onSaveMine={editor.saveMine}
        />
      )}
      {editor.changedElsewhere && (
        <Banner className="mb-4" actions={<Button onClick={editor.compare}>Compare</Button>}>
          Somebody else changed this staff member while you were typing. What you typed is still here.
        </Banner>
      )}
      {editor.mailKept && <MailKept name={member.name} className="mb-4" />}
      <form noValidate onSubmit={editor.submit}>
        <Card className="overflow-clip p-4 md:p-5">
          <div className="grid items-start gap-4 sm:grid-cols-2 lg:gap-5">
            <StaffFormFields labels={STAFF_FIELD_LABELS} register={form.register} errors={errors} emailHint={EMAIL_HINTS[member.status]} />
            <ColorField
              {...form.register('color_id')}
              label={STAFF_FIELD_LABELS.color_id}
              hint="Marks their jobs on the board and in the calendar."
              error={errors.color_id?.message}
              choices={colors.map(({ id, name, hex_code: color }) => ({ value: id, label: name, color }))}
              className="sm:col-span-2"
            />
          </div>
          {!conflict && !gone && <SaveBar saving={saving} dirty={dirty} onDiscard={editor.discard} />}
        </Card>
      </form>
      <UnsavedChanges isDirty={editor.isDirty} />
    </>
  );
}

function named({ field, yours, theirs, contested }: FieldDifference<StaffField>, shown: (field: StaffField, value: FieldValue) => string) {
  return { label: STAFF_FIELD_LABELS[field], yours: shown(field, yours), theirs: shown(field, theirs), contested };
}

function inWords(field: StaffField, value: string, colors: readonly StaffColor[]): string {
  if (field === 'role') return ROLE_LABELS[value as keyof typeof ROLE_LABELS];
  if (field === 'color_id') return colors.find(({ id }) => id === value)?.name ?? 'none';
  return value;
}

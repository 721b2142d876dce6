import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { NewStaffPage } from '../../../features/staff/new-staff-page.tsx';

export const Route = createFileRoute('/_shell/staff/new')({
  staticData: {
    title: 'Add Staff Member',
    focusesFirstField: true,
    needs: 'staff.manage',
    deniedMessage: "You don't have permission to add staff members.",
  },
  component: NewStaffRoute,
});

function NewStaffRoute() {
  const [formKey, setFormKey] = useState(0);
  return <NewStaffPage key={formKey} onAddAnother={() => setFormKey(formKey + 1)} />;
}

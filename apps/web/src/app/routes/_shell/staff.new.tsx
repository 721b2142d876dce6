import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { NewStaffPage } from '../../../features/staff/new-staff-page.tsx';

export const Route = createFileRoute('/_shell/staff/new')({
  staticData: {
    title: 'Add Staff Member',
    focusesField: true,
    needs: 'staff.manage',
    denied: "You don't have permission to add staff members.",
  },
  component: NewStaffRoute,
});

function NewStaffRoute() {
  const [form, setForm] = useState(0);
  return <NewStaffPage key={form} onAnother={() => setForm(form + 1)} />;
}

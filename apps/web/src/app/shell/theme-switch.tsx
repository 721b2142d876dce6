import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react';
import { useEffect } from 'react';
import { followTheme, type ThemeChoice, useTheme } from '../../lib/theme.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';

const CHOICES: readonly { choice: ThemeChoice; label: string; icon: LucideIcon }[] = [
  { choice: 'system', label: 'System', icon: Monitor },
  { choice: 'light', label: 'Light', icon: Sun },
  { choice: 'dark', label: 'Dark', icon: Moon },
];

export function ThemeSwitch() {
  const { choice, choose } = useTheme();
  useEffect(followTheme, []);
  return (
    <Menu
      label="Theme"
      trigger={
        <IconButton label="Theme">
          <Sun aria-hidden="true" className="dark:hidden" />
          <Moon aria-hidden="true" className="hidden dark:block" />
        </IconButton>
      }
      items={CHOICES.map((item) => ({
        label: item.label,
        icon: item.icon,
        checked: item.choice === choice,
        onSelect: () => choose(item.choice),
      }))}
    />
  );
}

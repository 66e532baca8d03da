import { useState } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const read = (): Theme => {
  const stored = localStorage.getItem('theme');
  return stored === 'light' || stored === 'dark' ? stored : 'system';
};

/** The chosen theme. public/theme.js applies the same rule before the first paint. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(read);
  return [
    theme,
    (next) => {
      localStorage.setItem('theme', next);
      document.documentElement.dataset.theme = resolve(next);
      setTheme(next);
    },
  ];
}

const darkQuery = '(prefers-color-scheme: dark)';
const resolve = (theme: Theme) =>
  theme === 'system' ? (matchMedia(darkQuery).matches ? 'dark' : 'light') : theme;

/** Follows the theme of the system while no other one is chosen. */
export function followSystemTheme(): void {
  matchMedia(darkQuery).addEventListener('change', () => {
    document.documentElement.dataset.theme = resolve(read());
  });
}

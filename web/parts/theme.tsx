import { useState } from 'preact/hooks';

const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const key = 'memd.theme';

/** The theme that was chosen here; the system's while none was. */
export function applyTheme(theme = chosen()): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function ThemeSwitch() {
  const [theme, setTheme] = useState(chosen);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto';
  const choose = (): void => {
    localStorage.setItem(key, next);
    applyTheme(next);
    setTheme(next);
  };
  const signs: Readonly<Record<Theme, string>> = { auto: '◐', light: '○', dark: '●' };
  return (
    <button
      type="button"
      class="icon"
      aria-label={`Theme: ${theme}. Change to ${next}`}
      title={`Theme: ${theme}`}
      onClick={choose}
    >
      <span aria-hidden="true">{signs[theme]}</span>
    </button>
  );
}

function chosen(): Theme {
  const kept = localStorage.getItem(key);
  return themes.find((theme) => theme === kept) ?? 'auto';
}

/** The console's languages: the browser's at first, then what was chosen. Only the one in use is loaded. */
import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { en } from './en.ts';

export const LANGUAGES = { en: 'English', zh: '中文' } as const;
export type Language = keyof typeof LANGUAGES;

const KEPT = 'kairship.language';

export const i18next = createInstance();

export function languageNow(): Language {
  return i18next.language === 'zh' ? 'zh' : 'en';
}

export async function startLanguage(): Promise<void> {
  const kept = localStorage.getItem(KEPT) ?? navigator.language;
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: en } },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  await speak(kept.startsWith('zh') ? 'zh' : 'en');
}

export async function choose(language: Language): Promise<void> {
  localStorage.setItem(KEPT, language);
  await speak(language);
}

async function speak(language: Language): Promise<void> {
  if (language === 'zh' && !i18next.hasResourceBundle('zh', 'translation'))
    i18next.addResourceBundle('zh', 'translation', (await import('./zh.ts')).zh);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
}

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

/** The engine speaks English; whoever reads another language gets what is known of it in theirs. */
export function engineSays(text: string): string {
  return languageNow() === 'zh' ? inChinese(text) : text;
}

let inChinese = (text: string): string => text;

async function speak(language: Language): Promise<void> {
  if (language === 'zh' && !i18next.hasResourceBundle('zh', 'translation')) {
    const [{ zh }, reasons] = await Promise.all([import('./zh.ts'), import('./zh/reasons.ts')]);
    i18next.addResourceBundle('zh', 'translation', zh);
    ({ inChinese } = reasons);
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
}

/**
 * Somebody at the console, who finds everything by the words on the screen, in the language they read.
 *
 * The words are the console's own, so that a journey is written once and gone in every language.
 */
import { expect, type Browser, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { createInstance } from 'i18next';
import { en } from '../../console/src/i18n/en.ts';
import { zh } from '../../console/src/i18n/zh.ts';

/** A busy machine is no reason to fail. */
export const SLOW = { timeout: 90_000 };

export type Language = 'en' | 'zh';
export type Say = (key: string, values?: Readonly<Record<string, unknown>>) => string;

export interface Person {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the console calls something. */
  readonly say: Say;
  /** Goes to an address as if it had been typed. */
  open(path: string): Promise<void>;
  press(key: string, within?: Locator): Promise<void>;
  button(key: string, within?: Locator): Locator;
  /** Presses a button whose label begins so and goes on with what it would do. */
  pressBeginning(key: string, within?: Locator): Promise<void>;
  field(key: string, within?: Locator, values?: Readonly<Record<string, unknown>>): Locator;
  /** Opens a list and takes one of its options. */
  choose(list: string, option: string, within?: Locator): Promise<void>;
  tab(key: string): Promise<void>;
  dialog(): Locator;
  sees(text: string | RegExp): Promise<void>;
}

export function saying(language: Language): Say {
  const words = createInstance();
  void words.init({
    lng: language,
    resources: { en: { translation: en }, zh: { translation: zh } },
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  return (key, values = {}) => {
    // A key that is gone would be looked for as a word, and missed without a reason.
    if (!words.exists(key, values)) throw new Error(`the console has no word for ${key}`);
    return (words.t as unknown as Say)(key, values);
  };
}

/** A browser of their own, signed in by a link or a code that works once. */
export async function signIn(browser: Browser, link: string, language: Language = 'en'): Promise<Person> {
  const context = await browser.newContext({ locale: language === 'zh' ? 'zh-CN' : 'en-GB' });
  const page = await context.newPage();
  await page.goto(link);
  const person = at(page, new URL(link).origin, language);
  await expect(page.getByRole('heading', { level: 1, name: person.say('menu.home') })).toBeVisible(SLOW);
  return person;
}

/** The same person in a second browser. */
export async function again({ page, context }: Person, browser: Browser, language: Language): Promise<Person> {
  const storageState = await context.storageState();
  const second = await browser.newContext({ locale: language === 'zh' ? 'zh-CN' : 'en-GB', storageState });
  return at(await second.newPage(), new URL(page.url()).origin, language);
}

function at(page: Page, origin: string, language: Language): Person {
  const say = saying(language);
  const button: Person['button'] = (key, within) =>
    (within ?? page.locator('body')).getByRole('button', { name: say(key), exact: true });
  return {
    page,
    context: page.context(),
    say,
    async open(path) {
      await page.goto(new URL(path, origin).href);
    },
    button,
    // A page with nothing on it offers what its head offers once more.
    press: (key, within) => button(key, within).first().click(SLOW),
    pressBeginning: (key, within) =>
      (within ?? page.locator('body'))
        .getByRole('button', { name: new RegExp(`^${escaped(say(key))} – `) })
        .click(SLOW),
    field: (key, within, values) => (within ?? page.locator('body')).getByRole('textbox', { name: say(key, values) }),
    async choose(list, option, within) {
      await (within ?? page.locator('body')).getByRole('combobox', { name: say(list) }).click(SLOW);
      await page.getByRole('option', { name: option }).first().click(SLOW);
    },
    tab: (key) => page.getByRole('tab', { name: say(key), exact: true }).click(SLOW),
    dialog: () => page.getByRole('dialog'),
    sees: (text) => expect(page.getByText(text).first()).toBeVisible(SLOW),
  };
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

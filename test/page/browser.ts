/**
 * A real Chromium, driven by playwright-core. The types are those that the tests use: the package is installed for tests
 * only, and the types are also checked without it.
 */

export interface Place {
  click(): Promise<void>;
  tap(): Promise<void>;
  focus(): Promise<void>;
  inputValue(): Promise<string>;
  fill(text: string): Promise<void>;
  press(key: string): Promise<void>;
  innerText(): Promise<string>;
  isVisible(): Promise<boolean>;
  allInnerTexts(): Promise<string[]>;
  count(): Promise<number>;
  waitFor(options?: { readonly state: 'visible' | 'hidden' }): Promise<void>;
  first(): Place;
}

export interface Socket {
  url(): string;
  on(name: 'framereceived', listener: (frame: { readonly payload: string | Buffer }) => void): void;
}

export interface Page {
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  url(): string;
  locator(selector: string, options?: { readonly hasText?: string | RegExp }): Place;
  getByRole(role: string, options: { readonly name: string | RegExp }): Place;
  evaluate<Result>(script: string): Promise<Result>;
  addInitScript(script: string): Promise<void>;
  setViewportSize(size: { readonly width: number; readonly height: number }): Promise<void>;
  waitForEvent(name: 'download'): Promise<{ path(): Promise<string>; suggestedFilename(): string }>;
  readonly keyboard: { type(text: string): Promise<void>; press(key: string): Promise<void> };
  on(name: 'console', listener: (message: { type(): string; text(): string }) => void): void;
  on(name: 'pageerror', listener: (error: Error) => void): void;
  on(name: 'websocket', listener: (socket: Socket) => void): void;
  on(
    name: 'response',
    listener: (response: { status(): number; url(): string; request(): { method(): string } }) => void,
  ): void;
}

interface Context {
  newPage(): Promise<Page>;
  cookies(): Promise<{ name: string; value: string; httpOnly: boolean; sameSite: string }[]>;
  close(): Promise<void>;
}

/** The window, and whether it is touched. */
export interface Device {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly hasTouch?: boolean;
  readonly isMobile?: boolean;
}

export interface Browser {
  newContext(options: Device): Promise<Context>;
  close(): Promise<void>;
}

interface Playwright {
  readonly chromium: {
    launch(options: { readonly executablePath: string; readonly args: readonly string[] }): Promise<Browser>;
  };
}

const PACKAGE: string = 'playwright-core';
export const VIEWPORT = { width: 1280, height: 800 };
const DESKTOP: Device = { viewport: VIEWPORT };
export const PHONE: Device = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

export async function launch(): Promise<Browser> {
  const { chromium } = (await import(PACKAGE)) as Playwright;
  // Chromium has no sandbox for root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: '/usr/bin/chromium', args });
}

/** A browser of one person, and what went wrong in it. */
export interface Person {
  readonly page: Page;
  readonly context: Context;
  /** Violations of the page's policy, errors of scripts, and answers that are errors. */
  readonly problems: string[];
}

export async function person(browser: Browser, device = DESKTOP): Promise<Person> {
  const context = await browser.newContext(device);
  const page = await context.newPage();
  const problems: string[] = [];
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => console.error('CSP: ' + event.violatedDirective));`,
  );
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error.stack)));
  page.on('response', (answer) => {
    if (answer.status() >= 400) problems.push(`${answer.status()} ${answer.request().method()} ${answer.url()}`);
  });
  return { page, context, problems };
}

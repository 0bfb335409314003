/**
 * Replaces the style elements that xterm.js creates with constructed style sheets: the page's content security policy
 * allows those, but no style elements, not even empty ones.
 */

function sheetElement(): HTMLElement {
  const element = plainElement('template');
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  let text = '';
  Object.defineProperty(element, 'textContent', {
    get: () => text,
    set(value: string) {
      text = value;
      sheet.replaceSync(value);
    },
  });
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    Element.prototype.remove.call(element);
  };
  return element;
}

function plainElement(name: string, options?: ElementCreationOptions): HTMLElement {
  return Document.prototype.createElement.call(document, name, options);
}

function createElement(name: string, options?: ElementCreationOptions): HTMLElement {
  return name.toLowerCase() === 'style' ? sheetElement() : plainElement(name, options);
}

/** The document to pass to xterm.js as `documentOverride`. */
export const documentWithSheets: Document = new Proxy(document, {
  get(target, name) {
    if (name === 'createElement') return createElement;
    const value: unknown = Reflect.get(target, name, target);
    return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
  },
});

/**
 * Opens a terminal with these style sheets even in the viewport of xterm.js, which ignores `documentOverride` in 6.0.0.
 */
export function withSheets(open: () => void): void {
  Object.defineProperty(document, 'createElement', { configurable: true, value: createElement });
  try {
    open();
  } finally {
    Reflect.deleteProperty(document, 'createElement');
  }
}

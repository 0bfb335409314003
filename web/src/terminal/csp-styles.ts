/**
 * A document for xterm.js whose style elements are style sheets made by script: the page's policy allows those, and
 * forbids style elements.
 */

function sheetElement(): HTMLStyleElement {
  const element = document.createElement('style');
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

function createElement(name: string, options?: ElementCreationOptions): HTMLElement {
  return name.toLowerCase() === 'style' ? sheetElement() : document.createElement(name, options);
}

export const documentWithSheets: Document = new Proxy(document, {
  get(target, name) {
    if (name === 'createElement') return createElement;
    const value: unknown = Reflect.get(target, name, target);
    return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
  },
});

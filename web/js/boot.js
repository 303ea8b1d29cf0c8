// Starts the pages: sets the chosen theme, loads the program that index.html names, and says so when that fails.

const theme = readTheme();
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

const note = document.getElementById("boot");
try {
  const { dataset, content } = document.querySelector('meta[name="app-module"]');
  const app = await import(new URL(dataset.js, document.baseURI).href);
  await app.default({ module_or_path: new URL(content, document.baseURI) });
  note?.remove();
} catch (error) {
  console.error(error);
  if (note) {
    note.setAttribute("role", "alert");
    note.textContent = `Proem could not start: ${error.message ?? error}. Reload the page; if that does not help, the browser may be too old.`;
  }
}

function readTheme() {
  try {
    return localStorage.getItem("proem.theme");
  } catch {
    return null; // Storage is switched off: the system's theme it is.
  }
}

import { defineConfig } from "vite";

// One classic script and one style sheet: a page opened from disk can't load modules.
export default defineConfig({
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    rollupOptions: {
      input: "src/main.tsx",
      output: {
        format: "iife",
        entryFileNames: "page.js",
        assetFileNames: "page[extname]",
      },
    },
  },
});

// It writes a program that calls every operation with the examples of the description, compiles it strictly, and runs it.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const { paths } = JSON.parse(readFileSync("openapi.json", "utf8"));
const lines = [
  'import create from "openapi-fetch";',
  'import type { paths } from "./api.js";',
  `const client = create<paths>({ baseUrl: "${process.argv[2]}" });`,
];
for (const [path, methods] of Object.entries(paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    const params = {};
    for (const { in: place, name, example } of operation.parameters ?? []) {
      if (example !== undefined) (params[place] ??= {})[name] = example;
    }
    const posted = operation.requestBody?.content["application/json"].example;
    const options = JSON.stringify(posted === undefined ? { params } : { body: posted });
    lines.push(`{ const { data, response } = await client.${method.toUpperCase()}("${path}", ${options});`);
    lines.push(`console.log("${operation.operationId}", response.status, data === undefined ? "" : "True"); }`);
  }
}
writeFileSync("package.json", JSON.stringify({ type: "module" }));
writeFileSync("calls.ts", lines.join("\n"));
const run = (command, ...options) => execFileSync(command, options, { stdio: ["ignore", "pipe", "inherit"] }).toString();
run("node_modules/.bin/openapi-typescript", "openapi.json", "-o", "api.ts");
run("node_modules/.bin/tsc", "--strict", "--target", "es2022", "--lib", "es2022,dom", "--module", "nodenext", "calls.ts");
process.stdout.write(run("node", "calls.js"));

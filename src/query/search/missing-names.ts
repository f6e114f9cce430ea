import type { SearchReads } from '#memory/store';
import type { QueryTerm } from '#reading/terms';
import type { Limits } from './shapes.ts';

/** The terms that no memory has. */
export function missingTerms(store: SearchReads, terms: readonly QueryTerm[]): QueryTerm[] {
  const known = store.documentFrequency(terms.map(({ term }) => term));
  return terms.filter(({ term }) => !known.has(term));
}

/**
 * Where they are in the query; of a path the whole, not its parts. Places, since a query may be a secret, which no reply repeats. The
 * start of a hash is not known to be missing.
 */
export function placesOf(terms: readonly QueryTerm[], query: string): Pick<Limits, 'missing'> {
  const folded = query.toLowerCase();
  const words = [...new Set(terms.filter(({ prefix }) => !prefix).map(({ word }) => word))];
  const whole = words.filter((word) => !words.some((other) => other !== word && other.includes(word)));
  const places = whole
    .filter((word) => folded.length === query.length && folded.includes(word))
    .map((word) => [folded.indexOf(word), folded.indexOf(word) + word.length] as const);
  return places.length === 0 ? {} : { missing: places };
}

/**
 * Whether a word is the name of a product, a service or a language. Such a name has no synonym: when no memory has it, what a query
 * about it finds is about something else. Other words can be missing because the record says it in other words.
 */
export function isProductName(word: string): boolean {
  return names.has(word);
}

const names: ReadonlySet<string> = new Set(
  // Stores, queues and search
  (
    'postgres postgresql mysql mariadb sqlite mongodb mongo redis valkey memcached cassandra dynamodb cockroachdb couchdb neo4j ' +
    'clickhouse snowflake bigquery redshift databricks duckdb supabase firebase firestore elasticsearch opensearch solr algolia ' +
    'meilisearch typesense pinecone qdrant weaviate rabbitmq kafka nats sqs zeromq celery sidekiq bullmq temporal airflow ' +
    // Interfaces and identity
    'graphql grpc protobuf openapi swagger trpc websocket websockets webrtc mqtt thrift oauth oidc saml ldap keycloak auth0 okta ' +
    'cognito clerk kerberos ' +
    // Running and delivering
    'docker podman kubernetes k8s helm istio nomad terraform pulumi ansible chef puppet vagrant jenkins circleci travis ' +
    'argocd buildkite teamcity bazel gradle maven cmake nginx caddy traefik haproxy apache envoy vercel netlify heroku cloudflare ' +
    'fly aws azure gcp lambda fargate ecs digitalocean hetzner prometheus grafana datadog sentry splunk opentelemetry jaeger newrelic ' +
    'pagerduty kibana logstash ' +
    // Where people work
    'github gitlab bitbucket gitea mercurial subversion perforce jujutsu slack discord teams telegram whatsapp jira confluence notion ' +
    'linear asana trello zendesk intercom figma storybook zapier twilio sendgrid mailgun stripe paypal shopify salesforce hubspot ' +
    'segment mixpanel amplitude posthog jetbrains intellij pycharm webstorm eclipse xcode vscode vim neovim emacs zed ' +
    // Languages
    'python javascript typescript golang rust java kotlin scala swift ruby php perl elixir erlang haskell clojure ocaml dart lua ' +
    'zig fortran cobol solidity wasm webassembly ' +
    // Frameworks and tools
    'react angular vue svelte solidjs nextjs nuxt remix gatsby astro htmx jquery tailwind bootstrap redux mobx zustand express ' +
    'fastify nestjs koa django flask fastapi rails laravel symfony spring quarkus flutter electron tauri qt unity unreal webpack vite ' +
    'rollup esbuild parcel babel eslint prettier biome jest vitest mocha cypress playwright selenium puppeteer pytest junit prisma ' +
    'drizzle typeorm sequelize sqlalchemy hibernate deno bun npm pnpm yarn cargo conda numpy pandas pytorch tensorflow langchain ' +
    'openai anthropic claude gemini chatgpt gpt copilot cursor codex mistral llama ollama huggingface ' +
    // Systems
    'linux ubuntu debian alpine fedora windows macos android ios freebsd wsl raspberry'
  ).split(' '),
);

//! A real MCP server on the loopback address, for the tests of what connects to one.
//!
//! Lists tools and calls none. Runs in a thread of its own and ends with its handle.
//! Rules: the Model Context Protocol, "Transports" and "Tools".

use std::borrow::Cow;
use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::thread::JoinHandle;

use harness::protocol::McpTool;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::header::{HeaderValue, WWW_AUTHENTICATE};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use rmcp::ServerHandler;
use rmcp::model::{
    ErrorData, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::oneshot;

/// What a server has and whom it lets in.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Its tools, listed one a page.
    pub tools: Vec<McpTool>,
    /// Who is let in; everybody when `None`.
    pub access: Option<Access>,
    /// Whether it answers with an error when it is asked for its tools.
    pub refuses_to_list: bool,
}

/// What a request must have.
#[derive(Clone, Debug)]
pub struct Access {
    /// The name of a header.
    pub header: String,
    /// Its value.
    pub value: String,
    /// Whether a refusal says how to authenticate, as the HTTP standard wants.
    pub challenges: bool,
}

/// A server that runs until this is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server on a port that the system picks.
    pub fn start(settings: Settings) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
        let address = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::Builder::new().name("mcp server".to_owned()).spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    () = serve(&listener, settings) => {}
                    _ = stopped => {}
                }
            });
        })?;
        Ok(Self { address, stop: Some(stop), thread: Some(thread) })
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // It may have ended before.
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            // A panic in it shows in the test that found nobody listening.
            let _ = thread.join();
        }
    }
}

/// An address on which nobody listens, and nobody can until this is dropped.
#[derive(Debug)]
pub struct Nobody {
    address: SocketAddr,
    /// Bound, and so never given to anybody else.
    _socket: TcpSocket,
}

impl Nobody {
    /// Takes a port that the system picks.
    pub fn start() -> io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.bind((Ipv4Addr::LOCALHOST, 0).into())?;
        Ok(Self { address: socket.local_addr()?, _socket: socket })
    }

    /// Where nobody listens.
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }
}

async fn serve(listener: &TcpListener, settings: Settings) {
    let settings = Arc::new(settings);
    let listed = Arc::clone(&settings);
    let mcp = StreamableHttpService::new(
        move || Ok(Listed(Arc::clone(&listed))),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default(),
    );
    while let Ok((stream, _)) = listener.accept().await {
        let (mcp, settings) = (mcp.clone(), Arc::clone(&settings));
        let service = service_fn(move |request: Request<Incoming>| {
            let (mcp, settings) = (mcp.clone(), Arc::clone(&settings));
            async move {
                Ok::<_, Infallible>(match &settings.access {
                    Some(access) if !access.lets_in(&request) => access.refusal(),
                    _ => mcp.handle(request).await,
                })
            }
        });
        let connection =
            hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
        tokio::spawn(async move {
            // A client that leaves early is no concern of the server.
            let _ = connection.await;
        });
    }
}

impl Access {
    fn lets_in(&self, request: &Request<Incoming>) -> bool {
        request.headers().get(&self.header).is_some_and(|value| value == self.value.as_str())
    }

    fn refusal(&self) -> Response<BoxBody<Bytes, Infallible>> {
        let mut response = Response::new(Empty::new().boxed());
        *response.status_mut() = StatusCode::UNAUTHORIZED;
        if self.challenges {
            response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// Lists the tools of the settings.
struct Listed(Arc<Settings>);

impl ServerHandler for Listed {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if self.0.refuses_to_list {
            return Err(ErrorData::internal_error("no list today", None));
        }
        let cursor = request.and_then(|request| request.cursor);
        let index = cursor.and_then(|cursor| cursor.parse::<usize>().ok()).unwrap_or_default();
        let mut page =
            ListToolsResult::with_all_items(self.0.tools.get(index).map(tool).into_iter().collect());
        page.next_cursor = (index + 1 < self.0.tools.len()).then(|| (index + 1).to_string());
        Ok(page)
    }
}

fn tool(tool: &McpTool) -> Tool {
    let schema = tool.parameters.as_object().cloned().unwrap_or_default();
    let description = Some(tool.description.clone()).filter(|description| !description.is_empty());
    Tool::new_with_raw(tool.name.clone(), description.map(Cow::Owned), schema)
}
